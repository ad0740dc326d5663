/** A series that a query names, and says of it only what part or how much is wanted: `best bleach`, `last arc of bleach`, `short gundam`. */
import { type AskedQuery, isIgnored, isInOneOf, type PartlyRead, spanOf } from './asked-query.js'
import { rowsOfBrand } from './excluded-title.js'
import type { Fact } from './interpretation.js'
import { maxTitleWords } from './named-works.js'
import { numericFactAt } from './numeric-facts.js'
import { covers } from './phrase-run.js'
import { haveAny, longestOf } from './phrase-table.js'
import { type QueryWord, stemOf } from './query-words.js'
import { bestTitle, named, partOfTitle, type TitleReading } from './read-title.js'
import { fillerOf } from './rest-of-query.js'

/** What is said of the works of a series, too; a subject would be another title. */
const ofSeries = new Set<Fact['kind']>(['length', 'fame', 'years', 'type', 'status'])
/** More words tell a story. */
const maxWords = 14
const lasts = new Set(['last', 'final'])
const season = stemOf('season')

/** The works of the series, with the words that name it and say that a part of it is wanted. */
export function readNamedSeries(asked: AskedQuery): PartlyRead | undefined {
  const { query, words, titles } = asked
  if (words.length > maxWords) return undefined
  const title = titleOf(asked)
  if (title === undefined || isIgnored(asked, title)) return undefined
  if ((titles.match(query)[0]?.similarity ?? 0) >= partOfTitle) return undefined
  const isTitle = words.map((word) => isInOneOf([title], word))
  const isPart = partsIn(asked, isTitle)
  const uses = isTitle.map((is, at) => (is || isPart[at] === true ? 'reference' : 'text'))
  // `best bleach` is any of the series; `last arc of bleach` and `bleach in what order` are about its main work.
  if (!isPart.includes(true)) return { readings: [{ ...title, part: { types: [] } }], uses }
  return { readings: [isLastSeason(words) ? newestOf(title, asked) : title], uses }
}

/** The title, if all around it is said of series and more than `anime` and the like. */
function titleOf(asked: AskedQuery): TitleReading | undefined {
  const { query, words, titles } = asked
  const isSaid = saidIn(asked)
  for (let begin = 0; begin < words.length; begin += 1) {
    const most = begin === 0 ? words.length - 1 : words.length
    for (let end = Math.min(most, begin + maxTitleWords); end > begin; end -= 1) {
      if (!isSaid(begin, end)) continue
      const span = spanOf(asked, begin, end)
      const series = bestTitle(titles.exact(query.slice(span.begin, span.end)), span)
      if (series !== undefined && isTitle(asked, begin, end))
        return { ...series, confidence: named }
    }
  }
  return undefined
}

/** Tells whether all around the words [begin, end) is said of series, and they are not. */
function saidIn(asked: AskedQuery): (begin: number, end: number) => boolean {
  const { words, isWish, tables } = asked
  const { around, facts, filler, partsOfSeries } = tables
  const said = words.map((_, at) => lengthAt(words, at))
  const arounds = words.map((_, at) => around.longestAt(words, at)?.length ?? 0)
  return (begin, end) => {
    if (covers(begin, end, (at) => said[at])) return false
    if (isAround(0, begin) && isAround(end, words.length)) return false
    return isSaid(0, begin) && isSaid(end, words.length)

    function isSaid(from: number, to: number): boolean {
      return covers(from, to, (at) => {
        const isAgain = words
          .slice(begin, end)
          .every(({ folded }, i) => at + i < to && words[at + i]?.folded === folded)
        if (isAgain) return end - begin
        const length = said[at] ?? 0
        // A phrase may end in a word of the title: the `one` of One Piece.
        return at + length > to ? lengthAt(words.slice(0, to), at) : length
      })
    }
  }

  function isAround(from: number, to: number): boolean {
    return covers(from, to, (at) => arounds[at])
  }

  function lengthAt(among: readonly QueryWord[], at: number): number {
    const { length = 0, values = [] } = facts.longestAt(among, at) ?? {}
    const isFact = values.some(({ fact }) => ofSeries.has(fact.kind))
    const said = longestOf([partsOfSeries, tables.aroundSeries, around, filler], among, at)
    const counted = numericFactAt(among, at, isWish, tables)?.length ?? 0
    return Math.max(said, counted, isFact ? length : 0)
  }
}

/** Whether words are a title: everyday ones only beside what is said of nothing but series, as in `fate in what order`. */
function isTitle(asked: AskedQuery, begin: number, end: number): boolean {
  const { query, words, titles, tables } = asked
  const title = words.slice(begin, end)
  const isFiller = fillerOf(title, tables.filler)
  if (isFiller.every(Boolean)) return false
  const sides = [words.slice(0, begin), words.slice(end)]
  const { facts, partsOfSeries } = tables
  if (sides.some((side) => haveAny(side, partsOfSeries))) return true
  const isEveryday = covers(0, title.length, (at) =>
    Math.max(facts.longestAt(title, at)?.length ?? 0, isFiller[at] === true ? 1 : 0),
  )
  if (isEveryday) return false
  const { exact, sure = exact, known = sure } = titles
  // Many texts have `bleach`, too, but no vocabulary; `gundam` is the name of many series.
  const isOwn = title.length === 1 && !tables.known.has(title[0]?.stem ?? '')
  const isBrand = rowsOfBrand(asked, begin, end).length > 0
  const text = query.slice(title[0]?.begin, title.at(-1)?.end)
  return isBrand || (isOwn ? known : sure)(text).length > 0
}

/** Of each word, whether it is part of what is said of series alone. */
function partsIn(
  { words, tables: { aroundSeries, partsOfSeries } }: AskedQuery,
  isTitle: readonly boolean[],
): readonly boolean[] {
  const isPart = words.map(() => false)
  for (let at = 0; at < words.length; at += 1) {
    const next = isTitle.indexOf(true, at)
    const side = words.slice(0, next < 0 ? words.length : next)
    isPart.fill(true, at, at + longestOf([partsOfSeries, aroundSeries], side, at))
  }
  return isPart
}

const isLastSeason = (words: readonly QueryWord[]): boolean =>
  words.some(({ stem }, at) => stem === season && lasts.has(words[at - 1]?.folded ?? ''))

function newestOf(title: TitleReading, { titles }: AskedQuery): TitleReading {
  const [row] = title.rows
  if (row === undefined || titles.newestOf === undefined) return title
  return { ...title, rows: [titles.newestOf(row)] }
}

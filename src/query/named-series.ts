/** A series that a query names, and says of it only what part or how much is wanted: `best bleach`, `last arc of bleach`, `short gundam`. */
import { type AskedQuery, isIgnored, isInOneOf, type PartlyRead } from './asked-query.js'
import type { Fact } from './interpretation.js'
import { maxTitleWords } from './named-works.js'
import { numericFactAt } from './numeric-facts.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { bestTitle, named, partOfTitle, type TitleReading } from './read-title.js'
import { fillerOf } from './rest-of-query.js'

/** What is said of the works of a series, too; a subject would be another title. */
const ofSeries = new Set<Fact['kind']>(['length', 'fame', 'years', 'type', 'status'])

/** All works of the series, with the words that name it. */
export function readNamedSeries(asked: AskedQuery): PartlyRead | undefined {
  const title = titleOf(asked)
  if (title === undefined || isIgnored(asked, title)) return undefined
  const uses = asked.words.map((word) => (isInOneOf([title], word) ? 'reference' : 'text'))
  return { readings: [title], uses }
}

/** The title, if all around it is said of series and more than `anime` and the like. */
function titleOf(asked: AskedQuery): TitleReading | undefined {
  const { query, words, titles, tables } = asked
  if ((titles.match(query)[0]?.similarity ?? 0) >= partOfTitle) return undefined
  for (let begin = 0; begin < words.length; begin += 1) {
    const most = begin === 0 ? words.length - 1 : words.length
    for (let end = Math.min(most, begin + maxTitleWords); end > begin; end -= 1) {
      const title = words.slice(begin, end)
      const others = [words.slice(0, begin), words.slice(end)]
      if (!isMeant(title, others, asked)) continue
      const span = { begin: title[0]?.begin ?? 0, end: title.at(-1)?.end ?? query.length }
      const series = bestTitle(titles.exact(query.slice(span.begin, span.end)), span)
      if (series !== undefined && isTitle(title, others, tables))
        return { ...series, confidence: named, part: { types: [] } }
    }
  }
  return undefined
}

/** Whether all around a title is said of series. */
function isMeant(
  title: readonly QueryWord[],
  others: readonly (readonly QueryWord[])[],
  { tables, isWish }: AskedQuery,
): boolean {
  const isAround = others.every((side) => covers(side, (at) => lengthOf(side, at, [tables.around])))
  return !isAround && others.every((side) => covers(side, (at) => saidAt(side, at)))

  function saidAt(side: readonly QueryWord[], at: number): number {
    const isAgain = title.every(({ folded }, i) => side[at + i]?.folded === folded)
    const { length = 0, values = [] } = tables.facts.longestAt(side, at) ?? {}
    const isFact = values.some(({ fact }) => ofSeries.has(fact.kind))
    return Math.max(
      isAgain ? title.length : 0,
      isFact ? length : 0,
      numericFactAt(side, at, isWish)?.length ?? 0,
      lengthOf(side, at, [tables.partsOfSeries, tables.around, tables.filler]),
    )
  }
}

/** Everyday words are a title only beside what is said of nothing but series: `fate in what order`. */
function isTitle(
  title: readonly QueryWord[],
  others: readonly (readonly QueryWord[])[],
  { facts, filler, partsOfSeries }: QueryTables,
): boolean {
  const isFiller = fillerOf(title, filler)
  if (isFiller.every(Boolean)) return false
  const isEveryday = covers(title, (at) =>
    Math.max(facts.longestAt(title, at)?.length ?? 0, isFiller[at] === true ? 1 : 0),
  )
  return (
    !isEveryday || others.some((side) => side.some((_, at) => partsOfSeries.longestAt(side, at)))
  )
}

const lengthOf = (
  words: readonly QueryWord[],
  at: number,
  tables: readonly QueryTables['filler'][],
): number => Math.max(...tables.map((table) => table.longestAt(words, at)?.length ?? 0))

/** Whether phrases follow each other from the first word to the last. */
function covers(words: readonly QueryWord[], lengthAt: (position: number) => number): boolean {
  for (let at = 0; at < words.length;) {
    const length = lengthAt(at)
    if (length === 0) return false
    at += length
  }
  return true
}

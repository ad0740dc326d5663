/** A part of a series that is told behind its title: `jojo the one in egypt`, `naruto movie where he goes to the moon`. */
import type { TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { bestTitle, named, nearTitle, type TitleReading } from './read-title.js'
import { areFacts } from './subject.js'
import type { WordLists } from './word-lists.js'

const articles = new Set(['the', 'that'])
/** These are said of a part only behind an article: `jojo part 4`. */
const needArticle = new Set(['one', 'part'])
/** So many words may stand before the title in `which season of`. */
const maxLeadWords = 4
/** What begins the story of the part. */
const leads = new Set('where when with in on about that which at after during'.split(' '))
/** More words are no title that somebody begins with. */
const maxWords = 8

interface PartNoun {
  /** Where the words of the title and of the part end. */
  readonly end: number
  readonly stem: string
  readonly isArticle: boolean
}

/** The title of the series, over its words and what says that a part of it is meant; what follows tells which. */
export function readToldPart(
  query: string,
  words: readonly QueryWord[],
  tables: Pick<QueryTables, 'facts' | 'wordLists'>,
  { exact, known = exact, match }: TitleLookup,
): TitleReading | undefined {
  const { wordLists } = tables
  const from = articles.has(words[0]?.folded ?? '') ? 1 : (endOfPartOf(words, wordLists) ?? 0)
  for (let end = Math.min(words.length, from + maxWords); end > from; end -= 1) {
    const title = words.slice(from, end)
    const part = from > 1 ? partBefore(words, from, end) : partBehind(words, end, wordLists)
    if (part === undefined) continue
    // What follows tells of the part.
    const isOfSeries = wordLists.toldPartsOfSeries.has(part.stem)
    // `romance movie where` names no series, and `demon slayer season` does.
    const isSubject = areFacts(title, tables) && !(isOfSeries && title.length > 1)
    if (!part.isArticle && isSubject) continue
    const text = query.slice(title[0]?.begin, title.at(-1)?.end)
    const span = { begin: title[0]?.begin ?? 0, end: words[part.end - 1]?.end ?? query.length }
    // `gundam the one with the witch`: `the one` is said of a series, however many texts have its name.
    const isSpelt = title.length > 1 || (part.isArticle && !isSubject)
    const series = bestTitle((isSpelt ? exact : known)(text), span)
    if (series === undefined) continue
    // `the naruto movie in the snow` is a title, but for its first word.
    const [whole] = match(query.slice(span.begin))
    if ((whole?.similarity ?? 0) > nearTitle) continue
    const counted = isOfSeries ? countedPart(query, words, from, part.end, match) : undefined
    if (counted !== undefined) return counted
    return {
      ...series,
      confidence: named,
      part: { types: wordLists.toldParts.get(part.stem) ?? [] },
    }
  }
  return undefined
}

/** What says behind a title that a part of it is meant, with more behind it. */
function partBehind(
  words: readonly QueryWord[],
  titleEnd: number,
  { toldParts, toldPartsOfSeries }: WordLists,
): PartNoun | undefined {
  const isArticle = articles.has(words[titleEnd]?.folded ?? '')
  const noun = isArticle ? titleEnd + 1 : titleEnd
  const stem = words[noun]?.stem ?? ''
  if (noun + 2 < words.length && toldParts.has(stem) && (isArticle || !needArticle.has(stem))) {
    const isTold = toldPartsOfSeries.has(stem) || leads.has(words[noun + 1]?.folded ?? '')
    return isTold ? { end: noun + 1, stem, isArticle } : undefined
  }
  // `lupin the third the miyazaki one`
  const isOne = [1, 2].some((more) => words[noun + more]?.folded === 'one')
  return isArticle && isOne ? { end: titleEnd, stem: 'one', isArticle } : undefined
}

/** Where `season of` ends, before which hardly anything is said. */
function endOfPartOf(
  words: readonly QueryWord[],
  { toldPartsOfSeries }: WordLists,
): number | undefined {
  const of = words.slice(0, maxLeadWords).findIndex(({ folded }) => folded === 'of')
  return toldPartsOfSeries.has(words[of - 1]?.stem ?? '') ? of + 1 : undefined
}

/** What says before a title that a part of it is meant. */
const partBefore = (
  words: readonly QueryWord[],
  begin: number,
  end: number,
): PartNoun | undefined =>
  end + 1 < words.length ? { end, stem: words[begin - 2]?.stem ?? '', isArticle: false } : undefined

/** The part that a number tells: `jjk season 2`. */
function countedPart(
  query: string,
  words: readonly QueryWord[],
  begin: number,
  end: number,
  match: TitleLookup['match'],
): TitleReading | undefined {
  if (!/^\d{1,2}$/.test(words[end]?.folded ?? '')) return undefined
  const span = { begin: words[begin]?.begin ?? 0, end: words[end]?.end ?? query.length }
  const counted = bestTitle(match(query.slice(span.begin, span.end)), span)
  return counted && counted.confidence > nearTitle ? { ...counted, confidence: named } : undefined
}

/** A part of a series that is told behind its title: `jojo the one in egypt`, `naruto movie where he goes to the moon`. */
import type { TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import { type QueryWord, stemOf } from './query-words.js'
import { bestTitle, named, nearTitle, type TitleReading } from './read-title.js'
import { areFacts } from './subject.js'

const partOf =
  (...types: string[]) =>
  (word: string): readonly [string, readonly string[]] => [stemOf(word), types]

const articles = new Set(['the', 'that'])
/** What parts of a series are called, with their types where the word tells them. */
const parts: ReadonlyMap<string, readonly string[]> = new Map([
  ...['one', 'season', 'arc', 'episode', 'part', 'saga', 'cour'].map(partOf()),
  ...['movie', 'film'].map(partOf('movie')),
  ...['ova', 'special'].map(partOf('ova', 'ona', 'special', 'tv_special')),
])
/** These are said of a part only behind an article: `jojo part 4`. */
const needArticle = new Set(['one', 'part'])
/** What begins the story of the part. */
const leads = new Set('where when with in on about that which at after during'.split(' '))
/** More words are no title that somebody begins with. */
const maxWords = 8

/** The title of the series, over its words and what says that a part of it is meant; what follows tells which. */
export function readToldPart(
  query: string,
  words: readonly QueryWord[],
  tables: Pick<QueryTables, 'facts'>,
  { exact, known = exact, match }: TitleLookup,
): TitleReading | undefined {
  const from = articles.has(words[0]?.folded ?? '') ? 1 : 0
  for (let end = Math.min(words.length, from + maxWords); end > from; end -= 1) {
    const isArticle = articles.has(words[end]?.folded ?? '')
    const noun = isArticle ? end + 1 : end
    const word = words[noun]?.stem ?? ''
    const isPart = parts.has(word) && (isArticle || !needArticle.has(word))
    if (!isPart || !leads.has(words[noun + 1]?.folded ?? '') || noun + 2 >= words.length) continue
    const title = words.slice(from, end)
    // `romance movie where` names no series.
    const isSubject = areFacts(title, tables)
    if (!isArticle && isSubject) continue
    const text = query.slice(title[0]?.begin, title.at(-1)?.end)
    const span = { begin: title[0]?.begin ?? 0, end: words[noun]?.end ?? query.length }
    // `gundam the one with the witch`: `the one` is said of a series, however many texts have its name.
    const isSpelt = title.length > 1 || (isArticle && !isSubject)
    const series = bestTitle((isSpelt ? exact : known)(text), span)
    if (series === undefined) continue
    // `the naruto movie in the snow` is a title, but for its first word.
    const [whole] = match(query.slice(span.begin))
    if ((whole?.similarity ?? 0) > nearTitle) continue
    return { ...series, confidence: named, part: { types: parts.get(word) ?? [] } }
  }
  return undefined
}

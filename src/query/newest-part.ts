/** The newest part of a series that a query asks for: `the new gundam`, `latest dragon ball series`. */
import type { TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import { type QueryWord, stemOf } from './query-words.js'
import { bestTitle, named, partOfTitle, type TitleReading, withoutAround } from './read-title.js'
import { areFacts } from './subject.js'

const newest = new Set(['newest', 'latest'])
const filmWords = new Set(['movie', 'film'].map(stemOf))

export function readNewestPart(
  query: string,
  words: readonly QueryWord[],
  tables: Pick<QueryTables, 'around' | 'facts'>,
  { exact, match, newestOf }: Pick<TitleLookup, 'exact' | 'match' | 'newestOf'>,
): TitleReading | undefined {
  const at = newestAt(words, tables)
  if (newestOf === undefined || at === undefined) return undefined
  const rest = words.slice(at.begin, at.end)
  const [begin, end] = withoutAround(rest, tables.around)
  const [first, last] = [rest[begin], rest[end - 1]]
  if (first === undefined || last === undefined) return undefined
  // `new romance anime` asks for any, and The New Gate is a title.
  if (words[0]?.folded !== 'the' && areFacts(rest.slice(begin, end), tables)) return undefined
  if ((match(query)[0]?.similarity ?? 0) >= partOfTitle) return undefined
  const span = { begin: 0, end: query.length }
  const series = bestTitle(exact(query.slice(first.begin, last.end)), span)
  const [row] = series?.rows ?? []
  if (series === undefined || row === undefined) return undefined
  const isFilm = words.some(({ stem }) => filmWords.has(stem))
  return { ...series, confidence: named, rows: [newestOf(row, isFilm)] }
}

/** The words among which the series is named: those after the first that says so, or before it, as in `gundam newest movie`. */
function newestAt(
  words: readonly QueryWord[],
  { around }: Pick<QueryTables, 'around'>,
): { readonly begin: number; readonly end: number } | undefined {
  const from = words[0]?.folded === 'the' ? 1 : 0
  const first = words[from]?.folded ?? ''
  // Who is `new to one piece` asks for no new part.
  const isNew = first === 'new' && words[from + 1]?.folded !== 'to'
  if (isNew || newest.has(first)) return { begin: from + 1, end: words.length }
  const end = words.findIndex(({ folded }) => newest.has(folded))
  if (end <= 0) return undefined
  const [begin, last] = withoutAround(words.slice(end + 1), around)
  return begin >= last ? { begin: 0, end } : undefined
}

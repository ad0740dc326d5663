/** The newest part of a series that a query asks for: `the new gundam`, `latest dragon ball series`. */
import type { TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { bestTitle, named, partOfTitle, type TitleReading, withoutAround } from './read-title.js'
import { areFacts } from './subject.js'

const newest = new Set(['new', 'newest', 'latest'])

export function readNewestPart(
  query: string,
  words: readonly QueryWord[],
  tables: Pick<QueryTables, 'around' | 'facts'>,
  { exact, match, newestOf }: Pick<TitleLookup, 'exact' | 'match' | 'newestOf'>,
): TitleReading | undefined {
  const from = words[0]?.folded === 'the' ? 1 : 0
  if (newestOf === undefined || !newest.has(words[from]?.folded ?? '')) return undefined
  const rest = words.slice(from + 1)
  const [begin, end] = withoutAround(rest, tables.around)
  const [first, last] = [rest[begin], rest[end - 1]]
  if (first === undefined || last === undefined) return undefined
  // `new romance anime` asks for any, and The New Gate is a title.
  if (from === 0 && areFacts(rest.slice(begin, end), tables)) return undefined
  if ((match(query)[0]?.similarity ?? 0) >= partOfTitle) return undefined
  const span = { begin: 0, end: query.length }
  const series = bestTitle(exact(query.slice(first.begin, last.end)), span)
  const [row] = series?.rows ?? []
  if (series === undefined || row === undefined) return undefined
  return { ...series, confidence: named, rows: [newestOf(row)] }
}

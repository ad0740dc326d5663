/** What somebody takes back while they type: `old dog, no an old man`, `at a supermarket? no wait, at mcdonalds`. */
import type { QueryTables } from './query-tables.js'
import { type QueryWord, queryWords } from './query-words.js'
import { articles } from './small-words.js'

/** The query with spaces in place of each clause that is taken back, so that positions stay. */
export function withoutTakenBack(query: string, tables: Pick<QueryTables, 'takesBack'>): string {
  const words = queryWords(query)
  let kept = query
  for (let position = 1; position < words.length; position += 1) {
    const end = position + lengthAt(query, words, position, tables)
    if (end === position || end >= words.length) continue
    let first = position - 1
    while (first > 0 && words[first - 1]?.endsClause === false) first -= 1
    const [from, to] = [words[first]?.begin ?? 0, words[end]?.begin ?? query.length]
    kept = kept.slice(0, from) + ' '.repeat(to - from) + kept.slice(to)
  }
  return kept
}

/** How many words take back what stands before them, between marks. A `no` alone does where nothing can lack after it. */
function lengthAt(
  query: string,
  words: readonly QueryWord[],
  position: number,
  { takesBack }: Pick<QueryTables, 'takesBack'>,
): number {
  const isAfterMark = words[position - 1]?.endsClause === true
  const length = takesBack.longestAt(words, position)?.length ?? 0
  const isNo = words[position]?.folded === 'no'
  if (length === 0 && !isNo) return 0
  const follows = query.slice(words[position + Math.max(1, length) - 1]?.end)
  const isBeforeMark = /^\s*(?:[,;:.!?…–—]|-+\s)/.test(follows)
  if (length > 0) return isAfterMark || isBeforeMark ? length : 0
  const isBeforeArticle = articles.has(words[position + 1]?.folded ?? '')
  // `he wraps it, no, offers` corrects a word.
  const isAfterComma = /,\s*$/.test(query.slice(0, words[position]?.begin))
  return isAfterMark && (isBeforeArticle || (isBeforeMark && !isAfterComma)) ? 1 : 0
}

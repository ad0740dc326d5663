/** Somebody or some place that a query tells of, with what they have or lack: `a boy without magic`. */
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { articles } from './small-words.js'

/** Words between somebody and what they have or lack: `a girl who has no memory`. */
export const relatives: ReadonlySet<string> = new Set(
  'who that which has have had having is are was were born lives living with and'.split(' '),
)

/** Whether somebody of whom more is told stands at a word: the nerd of `conan like nerd with a necklace`. */
export function isSomebodyAt(
  words: readonly QueryWord[],
  position: number,
  { bearers }: Pick<QueryTables, 'bearers'>,
): boolean {
  const { length } = bearers.longestAt(words, position) ?? {}
  if (length === undefined || words[position + length - 1]?.endsClause !== false) return false
  const next = words[position + length]?.folded ?? ''
  return next !== 'and' && relatives.has(next)
}

/** So many words may stand between `for` and `who`. */
const maxAudienceWords = 3
const fans = new Set('fan fans here'.split(' '))

/** Whether the `who` at a word tells of those for whom something is wished: `for grown ups who hated X`, `isekai fan who hates Y`. */
export function isOfAudience(words: readonly QueryWord[], position: number): boolean {
  if (words[position]?.folded !== 'who') return false
  if (fans.has(words[position - 1]?.folded ?? '')) return true
  for (let at = position - 2; at >= position - 1 - maxAudienceWords; at -= 1) {
    if (words[at]?.endsClause !== false) return false
    // `for a man who hated` tells of him.
    if (words[at]?.folded === 'for') return !articles.has(words[at + 1]?.folded ?? '')
  }
  return false
}

/** Whether a clause tells of somebody from its beginning on: `surgeon with a scarred face no licence`. */
export function isOfSomebodyAt(
  words: readonly QueryWord[],
  position: number,
  tables: Pick<QueryTables, 'bearers'>,
): boolean {
  let first = position
  while (first > 0 && words[first - 1]?.endsClause === false) first -= 1
  if (articles.has(words[first]?.folded ?? '')) first += 1
  return first < position && isSomebodyAt(words, first, tables)
}

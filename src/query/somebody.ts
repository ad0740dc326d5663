/** Somebody or some place that a query tells of, with what they have or lack: `a boy without magic`. */
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { articles, ours } from './small-words.js'

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

const pronouns = new Set(['she', 'he', 'they'])

/**
 * Whether the `who` or `she` at a word tells of those for whom something is wished: `for grown ups who hated X`,
 * `isekai fan who hates Y`, `for my mum, she likes Z`.
 */
export function isOfAudience(words: readonly QueryWord[], position: number): boolean {
  if (pronouns.has(words[position]?.folded ?? '')) return isOfMine(words, position)
  if (words[position]?.folded !== 'who') return false
  if (fans.has(words[position - 1]?.folded ?? '')) return true
  for (let at = position - 2; at >= position - 1 - maxAudienceWords; at -= 1) {
    if (words[at]?.endsClause !== false) return false
    // `for a man who hated` tells of him.
    if (words[at]?.folded === 'for') return !articles.has(words[at + 1]?.folded ?? '')
  }
  return false
}

/** So many words tell of those for whom something is wished. */
const maxMineWords = 4

/** Whether the clause before ends with `for my mum`. */
function isOfMine(words: readonly QueryWord[], position: number): boolean {
  const said = words.slice(Math.max(0, position - maxMineWords), position)
  const mine = said.findLastIndex(
    ({ folded }, at) => folded === 'for' && ours.has(said[at + 1]?.folded ?? ''),
  )
  return (
    mine >= 0 &&
    said.slice(mine + 1).findIndex(({ endsClause }) => endsClause) === said.length - mine - 2
  )
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

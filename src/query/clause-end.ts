/** Where what a clause says ends. */
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'

interface Clause {
  readonly words: readonly QueryWord[]
  readonly tables: Pick<QueryTables, 'turns' | 'joins' | 'filler'>
}

export const turnOrJoin = ({ words, tables }: Clause, position: number) =>
  tables.turns.longestAt(words, position) ?? tables.joins.longestAt(words, position)

/** Whether the rest of a clause, if any, says nothing: the `in it at all` of `no humans in it at all`. */
export function isFillerToEnd({ words, tables }: Clause, from: number): boolean {
  let at = from
  while (at < words.length && words[at - 1]?.endsClause !== true) {
    const length = tables.filler.longestAt(words, at)?.length
    if (length === undefined) return false
    at += length
  }
  return true
}

/** Of what there is little: `low drama`, `horror little gore`. */
import type { Fact } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'

interface Told {
  readonly words: readonly QueryWord[]
  readonly tables: Pick<QueryTables, 'scarce' | 'bearers'>
  readonly isWish: boolean
  readonly factAt: (
    position: number,
  ) => { readonly fact: Fact; readonly canLack?: boolean; readonly length: number } | undefined
}

/** How many words say that there is little of what follows, which is no person or place of a told story. */
export function scarceAt({ words, tables, isWish, factAt }: Told, position: number): number {
  const length = tables.scarce.longestAt(words, position)?.length ?? 0
  if (length === 0 || words[position + length - 1]?.endsClause === true) return 0
  const { fact, canLack, length: told = 0 } = factAt(position + length) ?? {}
  if (fact?.kind !== 'topic' || (canLack === true && !isWish)) return 0
  if (words[position]?.folded !== 'little') return length
  // A little romance is some, and a little girl soldier is small.
  const isSome = words[position - 1]?.folded === 'a'
  const isSomebody = Array.from({ length: told }, (_, at) => position + length + at).some(
    (at) => tables.bearers.longestAt(words, at) !== undefined,
  )
  return isWish && canLack !== true && !isSome && !isSomebody ? length : 0
}

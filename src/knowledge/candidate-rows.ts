/** The rows that fit a query beside its text: those that stand before the ranker though no text of theirs is near. */
import { topHits } from '../lexical/top-hits.js'
import type { RowMask } from '../util/row-mask.js'
import type { QueryFit } from './query-fit.js'

/** A work that fulfils less is no candidate by its facts alone. */
const minFulfilled = 0.3
const minSimilar = 0.1

/** At most `count` rows of each kind, each row once. */
export function candidateRows(
  { title, fulfilled, similar }: QueryFit,
  count: number,
  mask: RowMask | undefined,
): readonly number[] {
  const rows = [
    ...topHits(title, count, { above: 0, mask }),
    ...topHits(fulfilled, count, { above: minFulfilled, mask }),
    ...topHits(similar, count, { above: minSimilar, mask }),
  ].map(({ row }) => row)
  return [...new Set(rows)]
}

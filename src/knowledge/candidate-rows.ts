/** The rows that fit a query beside its text: those that stand before the ranker though no text of theirs is near. */
import { topHits } from '../lexical/top-hits.js'
import type { RowMask } from '../util/row-mask.js'
import type { QueryFit } from './query-fit.js'

/** A work that fulfils less is no candidate by its facts alone. */
const minFulfilled = 0.3
const minSimilar = 0.1

/** At most `count` rows, each once: titles first, then by turns works that fulfil wishes and works that are like those named. */
export function candidateRows(
  { title, fulfilled, similar }: QueryFit,
  count: number,
  mask: RowMask | undefined,
): readonly number[] {
  const titles = topHits(title, count, { above: 0, mask })
  const wished = topHits(fulfilled, count, { above: minFulfilled, mask })
  const alike = topHits(similar, count, { above: minSimilar, mask })
  const byTurns = Array.from({ length: count }, (_, rank) => [wished[rank], alike[rank]]).flat()
  const rows = [...titles, ...byTurns].flatMap((hit) => (hit === undefined ? [] : [hit.row]))
  return [...new Set(rows)].slice(0, count)
}

import { topRows } from '../../native/addon/top-rows.js'
import type { RowMask } from '../../base/util/row-mask.js'

export interface ScoredRow {
  readonly row: number
  readonly score: number
}

export interface TopHitsOptions {
  /** Scores that are not above this are no hits; every score is one when omitted. */
  readonly above?: number
  /** Rows that may be hits; all when omitted. */
  readonly mask?: RowMask | undefined
}

/** The first `limit` by score descending, row ascending. */
export function topHits(
  scores: Float32Array,
  limit: number,
  { above = -Infinity, mask }: TopHitsOptions = {},
): ScoredRow[] {
  if (!(limit > 0)) return []
  return Array.from(topRows(scores, limit, above, mask), (row) => ({
    row,
    score: scores[row] ?? 0,
  }))
}

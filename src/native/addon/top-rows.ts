/** The best of an array of scores, in the core. */
import type { RowMask } from '../../base/util/row-mask.js'
import { loadAddon } from './addon.js'

const largestCount = 2 ** 32 - 1

/** The first `limit` rows by score, ties by row, of those above the bound that pass. */
export const topRows = (
  scores: Float32Array,
  limit: number,
  above: number,
  mask: RowMask | undefined,
): Uint32Array => loadAddon().topRows(scores, Math.min(limit, largestCount), above, mask)

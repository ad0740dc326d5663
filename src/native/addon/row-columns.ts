/** Passes over a column of one value a row, in the core. */
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

/** The rows whose value is known, not NaN, and within the bounds, which are included. */
export const rowsWithin = (values: Float64Array, first: number, last: number): RowMask =>
  loadAddon().rowsWithin(values, first, last)

interface ValueOrder {
  readonly ascending: boolean
  /** Whether what is not above 0 is not known. */
  readonly positiveOnly: boolean
}

/** All rows by value, ties by row, those of unknown values last. */
export const rowsByValue = (
  values: Float64Array,
  { ascending, positiveOnly }: ValueOrder,
): Promise<Uint32Array> => loadAddon().rowsByValue(values, ascending, positiveOnly)

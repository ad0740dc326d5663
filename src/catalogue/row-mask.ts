/** Which rows of a dataset take part: those of a search, or of a part of it. */

/** One bit a row, least significant bit first; a set bit lets the row pass. */
export type RowMask = Uint8Array

/** Lets those rows pass. */
export function maskOf(rowCount: number, rows: Iterable<number>): RowMask {
  const mask = new Uint8Array(Math.ceil(rowCount / 8))
  for (const row of rows) mask[row >> 3] = (mask[row >> 3] ?? 0) | (1 << (row & 7))
  return mask
}

export const passes = (mask: RowMask, row: number): boolean =>
  (((mask[row >> 3] ?? 0) >> (row & 7)) & 1) === 1

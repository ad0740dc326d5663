/** Bit masks of a dataset's rows. */

/** One bit for each row, least significant bit first; a set bit lets the row pass. */
export type RowMask = Uint8Array

/** Returns a mask that lets these rows pass. */
export function maskOf(rowCount: number, rows: Iterable<number>): RowMask {
  const mask = new Uint8Array(Math.ceil(rowCount / 8))
  for (const row of rows) mask[row >> 3] = (mask[row >> 3] ?? 0) | (1 << (row & 7))
  return mask
}

/** Lets every row pass. */
export function allRows(rowCount: number): RowMask {
  const mask = new Uint8Array(Math.ceil(rowCount / 8)).fill(0xff)
  const last = rowCount & 7
  if (last > 0) mask[mask.length - 1] = (1 << last) - 1
  return mask
}

export const passes = (mask: RowMask, row: number): boolean =>
  (((mask[row >> 3] ?? 0) >> (row & 7)) & 1) === 1

/** Rows that pass both; a mask that is undefined lets all pass. */
export function bothMasks(one: RowMask, other: RowMask | undefined): RowMask {
  return other === undefined ? one : one.map((byte, position) => byte & (other[position] ?? 0))
}

/** Rows that pass one of them. */
export const eitherMask = (one: RowMask, other: RowMask): RowMask =>
  one.map((byte, position) => byte | (other[position] ?? 0))

/** The rows of the first that do not pass the second. */
export const butNot = (one: RowMask, other: RowMask): RowMask =>
  one.map((byte, position) => byte & ~(other[position] ?? 0))

/** The same without those rows; a mask that is undefined lets all pass. */
export function withoutRows(
  mask: RowMask | undefined,
  rowCount: number,
  rows: Iterable<number>,
): RowMask {
  const rest = mask?.slice() ?? allRows(rowCount)
  for (const row of rows) rest[row >> 3] = (rest[row >> 3] ?? 0) & ~(1 << (row & 7))
  return rest
}

/** The same with those rows, too. */
export function withRows(mask: RowMask | undefined, rows: readonly number[]): RowMask | undefined {
  if (mask === undefined || rows.length === 0) return mask
  const more = mask.slice()
  for (const row of rows) more[row >> 3] = (more[row >> 3] ?? 0) | (1 << (row & 7))
  return more
}

/** How many rows pass. */
export const countRows = (mask: RowMask): number => countCommonRows(mask, mask)

/** How many rows pass both masks of one dataset. A plain loop, because most searches count. */
export function countCommonRows(one: RowMask, other: RowMask): number {
  let count = 0
  for (let position = 0; position < one.length; position++) {
    count += bitsOf[(one[position] ?? 0) & (other[position] ?? 0)] ?? 0
  }
  return count
}

/** The rows that pass, ascending. */
export function rowsOf(mask: RowMask): Uint32Array {
  const rows = new Uint32Array(countRows(mask))
  let count = 0
  mask.forEach((byte, position) => {
    for (let rest = byte; rest > 0; rest &= rest - 1) {
      rows[count] = position * 8 + (31 - Math.clz32(rest & -rest))
      count += 1
    }
  })
  return rows
}

const bitsOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  let bits = 0
  for (let rest = byte; rest > 0; rest &= rest - 1) bits += 1
  return bits
})

/**
 * Columns that have a text in few rows, such as those of the built-in works in a large catalogue: their matrices
 * hold only the rows that any of these columns has. A full matrix would be zeros for the most part, on disk and in memory.
 */
import { maskOf } from '../../base/util/row-mask.js'
import { type DatasetTexts, blankKey, keyAt } from './texts.js'

export interface CompactColumns {
  /** Positions in the dataset's columns. */
  readonly columns: ReadonlySet<number>
  /** Ascending. */
  readonly rows: Uint32Array
}

/** A column is compact if fewer of the rows have a text. */
const fewRows = 1 / 4
/** Fewer rows than this are not worth another index: 6 MB of 384 dimensions. */
const minSavedRows = 4096

/** Undefined where every matrix has every row. */
export function compactColumns(
  { hashes, counts }: Pick<DatasetTexts, 'hashes' | 'counts'>,
  rowCount: number,
): CompactColumns | undefined {
  const columns = new Set([...counts.keys()].filter((i) => (counts[i] ?? 0) < rowCount * fewRows))
  const rows: number[] = []
  for (let row = 0; row < rowCount; row++) {
    const hasText = (column: number) => keyAt(hashes, column * rowCount + row) !== blankKey
    if ([...columns].some(hasText)) rows.push(row)
  }
  if (columns.size === 0 || rowCount - rows.length < minSavedRows) return undefined
  return { columns, rows: Uint32Array.from(rows) }
}

/** As the manifest holds them: a bit a row of the dataset, in base64. */
export const encodeRows = (rows: Uint32Array, rowCount: number): string =>
  Buffer.from(maskOf(rowCount, rows)).toString('base64')

/** Checks the arguments of searches, of every VectorIndex alike. */
import { NativeError } from '../../base/errors/index.js'

/** Ascending. */
export function columnNumbers(columns: readonly number[], available: number): Uint16Array {
  const isColumn = (column: number): boolean =>
    Number.isInteger(column) && column >= 0 && column < available
  if (columns.length === 0 || !columns.every(isColumn) || new Set(columns).size < columns.length) {
    refuse('columns', `positions from 0 to ${available - 1}, each once`, `[${columns.join(', ')}]`)
  }
  return Uint16Array.from(columns).sort()
}

export function checkShape(queries: unknown, count: number, k: number, dimension: number): void {
  if (!(queries instanceof Float32Array)) refuse('queries', 'a Float32Array', typeof queries)
  if (!isCount(count)) refuse('count', 'an integer from 0 to 4294967295', String(count))
  if (!isCount(k)) refuse('k', 'an integer from 0 to 4294967295', String(k))
  if (queries.length === count * dimension) return
  const expected = `${count} x ${dimension} = ${count * dimension} values`
  refuse('queries', expected, String(queries.length))
}

export function checkMask(mask: unknown, rows: number): void {
  if (mask === undefined) return
  if (!(mask instanceof Uint8Array)) refuse('mask', 'a Uint8Array', typeof mask)
  const bytes = Math.ceil(rows / 8)
  if (mask.length !== bytes) {
    refuse('mask', `${bytes} bytes for ${rows} rows`, String(mask.length))
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32
}

function refuse(argument: string, expected: string, received: string): never {
  throw new NativeError('EARGUMENT', `${argument}: expected ${expected}, received ${received}`)
}

/** @throws RangeError */
export function checkRow(row: number, rows: number): void {
  if (Number.isInteger(row) && row >= 0 && row < rows) return
  throw new RangeError(`row: expected 0 to ${rows - 1}, received ${row}`)
}

/** The handle of a native collection: checks arguments, carries abort signals, maps errors. */
import type { IndexStats, SearchResult, SearchOptions, VectorIndex } from './vector-index.js'
import { NativeError } from '../errors/native-error.js'
import { toNativeError } from './addon.js'
import type { NativeCollection } from './contract.js'
import { verifyNative } from './verify.js'

let lastTicket = 0

export function createCollection(
  native: NativeCollection,
  columns: readonly string[],
): VectorIndex {
  const { rows, dimension } = native
  const all = Uint16Array.from(columns, (_, column) => column)
  return {
    rows,
    dimension,
    columns,

    async search(
      queries: Float32Array,
      count: number,
      k: number,
      options: SearchOptions = {},
    ): Promise<SearchResult> {
      checkShape(queries, count, k, dimension)
      checkMask(options.mask, rows)
      const searched =
        options.columns === undefined ? all : columnNumbers(options.columns, columns.length)
      const { mask, distinct = true, signal } = options
      signal?.throwIfAborted()
      lastTicket = (lastTicket + 1) % 2 ** 32
      const ticket = lastTicket
      const cancel = (): void => native.cancel(ticket)
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        return await native.search(queries, count, k, mask, searched, distinct, ticket)
      } catch (error) {
        signal?.throwIfAborted()
        throw toNativeError(error)
      } finally {
        signal?.removeEventListener('abort', cancel)
      }
    },

    validRows: () => rethrown(() => native.validRows()),

    async vectors(row) {
      if (!Number.isInteger(row) || row < 0 || row >= rows) {
        throw new RangeError(`row: expected 0 to ${rows - 1}, received ${row}`)
      }
      try {
        return await native.vectors(row)
      } catch (error) {
        throw toNativeError(error)
      }
    },

    stats: () =>
      rethrown((): IndexStats => {
        const stats = native.stats()
        const codes = stats.codes.map((column) =>
          column && 'refused' in column ? { refused: toNativeError(column.refused) } : column,
        )
        return { ...stats, codes }
      }),

    verify: (options) => verifyNative(native, options),

    close(): void {
      native.close()
    },
  }
}

function rethrown<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw toNativeError(error)
  }
}

function columnNumbers(columns: readonly number[], available: number): Uint16Array {
  const isColumn = (column: number): boolean =>
    Number.isInteger(column) && column >= 0 && column < available
  if (columns.length === 0 || !columns.every(isColumn) || new Set(columns).size < columns.length) {
    refuse('columns', `positions from 0 to ${available - 1}, each once`, `[${columns.join(', ')}]`)
  }
  return Uint16Array.from(columns).sort()
}

function checkShape(queries: unknown, count: number, k: number, dimension: number): void {
  if (!(queries instanceof Float32Array)) refuse('queries', 'a Float32Array', typeof queries)
  if (!isCount(count)) refuse('count', 'an integer from 0 to 4294967295', String(count))
  if (!isCount(k)) refuse('k', 'an integer from 0 to 4294967295', String(k))
  if (queries.length === count * dimension) return
  const expected = `${count} x ${dimension} = ${count * dimension} values`
  refuse('queries', expected, String(queries.length))
}

function checkMask(mask: unknown, rows: number): void {
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

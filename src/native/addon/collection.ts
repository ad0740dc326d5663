/** The handle of a native collection: checks arguments, carries abort signals, maps errors. */
import type { IndexStats, SearchResult, SearchOptions, VectorIndex } from './vector-index.js'
import { toNativeError } from './addon.js'
import type { NativeCollection } from './contract.js'
import { checkMask, checkRow, checkShape, columnNumbers } from './search-arguments.js'
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
      checkRow(row, rows)
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

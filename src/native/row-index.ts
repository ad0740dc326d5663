/**
 * The index of the rows of a dataset: what a search reads of all rows, in a file that every process maps. The core
 * looks words up in it and sums their impacts on its own threads; see native/core/rows.
 */
import { loadAddon, toNativeError } from './addon.js'

export interface RowIndex {
  readonly rows: number
  /** Bytes of the file, shared between processes; 0 where the index is in memory. */
  readonly mappedBytes: number
  /** The number of each stem; `noStem` of one that no row has. */
  findStems(stems: readonly string[]): Uint32Array
  /** Rows with one of the stems, ascending. */
  rowsWith(stems: Uint32Array): Uint32Array
  /**
   * The first `limit` rows by bm25, ties by row, of those that pass and score above 0.
   * @param stems each once
   */
  search(
    stems: Uint32Array,
    limit: number,
    mask: Uint8Array | undefined,
  ): Promise<{ readonly rows: Uint32Array; readonly scores: Float32Array }>
  /** bm25 of each of the rows. */
  score(stems: Uint32Array, rows: Uint32Array): Promise<Float32Array>
  /** Idempotent; searches in flight finish. */
  close(): void
}

export const noStem = 0xffffffff
const largestCount = 2 ** 32 - 1

/**
 * @param source the path of a file, or its bytes
 * @param version of the dataset that it must have been built from, 64 hexadecimal digits
 * @throws NativeError EFILE_OPEN, EROWS_FORMAT, or EROWS_STALE
 */
export function openRowIndex(source: string | Uint8Array, version: string): RowIndex {
  const native = rethrown(() => loadAddon().openRowIndex(source, Buffer.from(version, 'hex')))
  return {
    rows: native.rows,
    mappedBytes: native.mappedBytes,
    findStems: (stems) => rethrown(() => native.findStems(stems)),
    rowsWith: (stems) => rethrown(() => native.rowsWith(stems)),
    search: (stems, limit, mask) =>
      rejected(() => native.searchStems(stems, Math.min(limit, largestCount), mask)),
    score: (stems, rows) => rejected(() => native.scoreStems(stems, rows)),
    close: () => native.close(),
  }
}

function rethrown<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw toNativeError(error)
  }
}

async function rejected<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw toNativeError(error)
  }
}

/**
 * An index that searches what waits together in one shared scan: one search is under way at a time, on all
 * threads, and the queries that come meanwhile share the next. A query that comes alone goes at once.
 */
import type { RowMask } from '../../base/util/row-mask.js'
import type { SearchResult, SearchOptions, VectorIndex } from '../../native/addon/vector-index.js'

interface Waiting {
  readonly query: Float32Array
  readonly k: number
  readonly mask: RowMask | undefined
  readonly signal: AbortSignal | undefined
  readonly resolve: (result: SearchResult) => void
  readonly reject: (reason: unknown) => void
}

/** More gain little, and let the first wait for the last. */
const maxBatch = 64

/**
 * Owns the index. Queries share a scan that want the same number of hits and have the same mask, recognized
 * by its identity. Searches of several queries, or of some columns, are passed on as they are.
 */
export function createBatchingIndex(index: VectorIndex): VectorIndex {
  let queue: Waiting[] = []
  let isBusy = false

  async function scanWaiting(): Promise<void> {
    isBusy = true
    while (queue.length > 0) {
      const batch = takeBatch()
      if (batch.length > 0) await searchTogether(batch)
    }
    isBusy = false
  }

  /** The first that still waits, and the others that want as many hits among the same rows. */
  function takeBatch(): Waiting[] {
    const departed = queue.filter(({ signal }) => signal?.aborted)
    for (const { reject, signal } of departed) reject(signal?.reason)
    queue = queue.filter(({ signal }) => !signal?.aborted)
    const { k, mask } = queue[0] ?? {}
    const isLike = (waiting: Waiting) => waiting.k === k && waiting.mask === mask
    const batch = queue.filter(isLike).slice(0, maxBatch)
    queue = queue.filter((waiting) => !batch.includes(waiting))
    return batch
  }

  async function searchTogether(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch
    if (first === undefined) return
    if (batch.length === 1) return searchAlone(first)
    const { k, mask } = first
    const queries = new Float32Array(batch.length * index.dimension)
    batch.forEach(({ query }, i) => queries.set(query, i * index.dimension))
    try {
      const all = await index.search(queries, batch.length, k, { mask })
      batch.forEach(({ resolve }, i) => resolve(partOf(all, i, k)))
    } catch {
      // One bad query must not fail the others; alone, each gets its own error.
      for (const waiting of batch) await searchAlone(waiting)
    }
  }

  async function searchAlone(waiting: Waiting): Promise<void> {
    const { query, k, mask, signal, resolve, reject } = waiting
    try {
      resolve(await index.search(query, 1, k, { mask, signal }))
    } catch (error) {
      reject(error)
    }
  }

  return {
    rows: index.rows,
    dimension: index.dimension,
    columns: index.columns,
    search(queries: Float32Array, count: number, k: number, options: SearchOptions = {}) {
      const { signal, mask, columns, distinct } = options
      const isUsual = columns === undefined && distinct === undefined
      if (count !== 1 || !isUsual || queries.length !== index.dimension) {
        return index.search(queries, count, k, options)
      }
      return new Promise((resolve, reject) => {
        queue.push({ query: queries, k, mask, signal, resolve, reject })
        // The results of one message of the encoder arrive in one turn: let the others join.
        if (!isBusy) {
          isBusy = true
          queueMicrotask(() => void scanWaiting())
        }
      })
    },
    validRows: () => index.validRows(),
    vectors: (row) => index.vectors(row),
    stats: () => index.stats(),
    verify: (options) => index.verify?.(options) ?? Promise.resolve(0),
    close: () => index.close(),
  }
}

/** What a search of query `i` alone would have returned. */
function partOf(result: SearchResult, i: number, k: number): SearchResult {
  const { rows, columns, scores, counts } = result
  const [begin, end] = [i * k, (i + 1) * k]
  return {
    ...result,
    rows: rows.subarray(begin, end),
    columns: columns.subarray(begin, end),
    scores: scores.subarray(begin, end),
    counts: counts.subarray(i, i + 1),
  }
}

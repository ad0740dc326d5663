/** The nearest works of every work, by our own exact search over a matrix that lives as long as the question. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openNpyWriter } from '../../data/embed/npy-writer.js'
import { openCollection } from '../../native/addon/index.js'
import { buildCodes } from '../../native/addon/quantized-codes.js'
import type { WorkVectors } from './work-vectors.js'

/** `count` of each vector, without itself: rows x count. */
export interface Neighbours {
  readonly count: number
  readonly indices: Uint32Array
  /** 1 - cosine, ascending. */
  readonly distances: Float32Array
}

export interface NeighbourOptions {
  /** Fewer than there are vectors. */
  readonly count: number
  /** Where the matrix may lie meanwhile. */
  readonly folder: string
  readonly signal?: AbortSignal | undefined
  /** Gets the share that is done. */
  readonly onProgress?: ((share: number) => void) | undefined
}

/** Of the folder of the matrix. */
export const temporaryPrefix = '.map-'
const batchSize = 256
/** Below it, codes take longer to make than they save. */
const minRowsForCodes = 10_000

export async function findNeighbours(
  { values, dimension, rows }: WorkVectors,
  { count, folder, signal, onProgress }: NeighbourOptions,
): Promise<Neighbours> {
  const indices = new Uint32Array(rows.length * count)
  const distances = new Float32Array(rows.length * count)
  const temporary = await mkdtemp(join(folder, temporaryPrefix))
  try {
    const path = join(temporary, 'works.npy')
    const file = await openNpyWriter(path, { rows: rows.length, dimension })
    await file.write(values)
    await file.finish()
    if (rows.length >= minRowsForCodes) await buildCodes(path, { ...(signal && { signal }) })
    const index = await openCollection({ columns: [{ name: 'works', path }] })
    try {
      const k = count + 1
      for (let begin = 0; begin < rows.length; begin += batchSize) {
        const queries = Math.min(batchSize, rows.length - begin)
        const part = values.subarray(begin * dimension, (begin + queries) * dimension)
        const found = await index.search(part, queries, k, { signal })
        for (let query = 0; query < queries; query++) {
          const own = begin + query
          let at = own * count
          // Of many equal works, itself may not be among the first: the last one is left out then.
          for (let hit = query * k; hit < (query + 1) * k && at < (own + 1) * count; hit++) {
            const row = found.rows[hit] ?? 0
            if (row === own) continue
            indices[at] = row
            distances[at] = Math.max(0, 1 - (found.scores[hit] ?? 0))
            at += 1
          }
        }
        onProgress?.((begin + queries) / rows.length)
      }
    } finally {
      index.close()
    }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  return { count, indices, distances }
}

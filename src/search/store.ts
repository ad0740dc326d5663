/** The open collections: one of each (dataset, model), opened at its first use, closed when idle. */
import type { DatasetInfo } from '../catalogue/catalogue.js'
import { EmbeddingsBrokenError } from '../errors/embeddings-broken-error.js'
import { NativeError } from '../errors/native-error.js'
import { createIdlePool } from '../lifecycle/idle-pool.js'
import { createBatchingIndex } from './batching-index.js'
import type { VectorIndex } from './vector-index.js'

/** Owns its index; the store that opened it closes it. */
export interface Collection {
  readonly index: VectorIndex
  /** The dataset's column behind each column of the index. */
  readonly columns: readonly number[]
  /** Entries with at least one valid vector. */
  readonly validRows: number
}

export interface CollectionStore {
  /** Runs a task with a collection, which stays open meanwhile. */
  use<T>(
    dataset: DatasetInfo,
    model: string,
    task: (collection: Collection) => Promise<T>,
  ): Promise<T>
  /** Models whose collection of that dataset is open now. */
  opened(dataset: string): readonly string[]
  /** Closes what nobody has used within that time; answers what it was. */
  closeIdle(idleMs: number): readonly string[]
  /** Idempotent; searches in flight finish. */
  close(): void
}

/** Opens and checks one collection, or throws an error that says what is missing. */
export type OpenCollection = (dataset: DatasetInfo, model: string) => Promise<VectorIndex>

export function createCollectionStore(open: OpenCollection, now?: () => number): CollectionStore {
  const pool = createIdlePool<Collection>(({ index }) => index.close(), now)
  return {
    async use(dataset, model, task) {
      const name = `${dataset.name} ${model}`
      try {
        const openCollection = async () => collectionOf(await open(dataset, model), dataset)
        return await pool.use(name, openCollection, task)
      } catch (error) {
        if (!(error instanceof NativeError) || error.code !== 'EFILE_CHANGED') throw error
        // Somebody wrote into the mapped files; the next use opens what is there then.
        pool.drop(name)
        throw new EmbeddingsBrokenError(dataset.name, model, { cause: error })
      }
    },
    opened(dataset) {
      const prefix = `${dataset} `
      const names = pool.opened().filter((name) => name.startsWith(prefix))
      return names.map((name) => name.slice(prefix.length))
    },
    closeIdle: (idleMs) => pool.closeIdle(idleMs),
    close: () => pool.close(),
  }
}

/** Rows of an index are rows of the catalogue, its columns some of the dataset's. */
function collectionOf(index: VectorIndex, dataset: DatasetInfo): Collection {
  const positions = index.columns.map((name) => dataset.columns.indexOf(name))
  if (index.rows !== dataset.rows || positions.includes(-1)) {
    index.close()
    throw new RangeError(
      `expected ${dataset.rows} rows and columns of ${dataset.name}, received ${index.rows} rows ` +
        `and the columns ${index.columns.join(', ')}`,
    )
  }
  const { validRows } = index.stats()
  return { index: createBatchingIndex(index), columns: positions, validRows }
}

/** What is mapped of the embeddings: opened at its first use, closed when idle. */
import type { DatasetInfo } from '../catalogue/catalogue.js'
import { countRows, type RowMask } from '../util/row-mask.js'
import { EmbeddingsBrokenError } from '../errors/embeddings-broken-error.js'
import { NativeError } from '../errors/native-error.js'
import { createIdlePool } from '../residency/idle-pool.js'
import { createBatchingIndex } from './batching-index.js'
import type { VectorIndex } from '../native/vector-index.js'

/** Owns its index; the store that opened it closes it. */
export interface Collection {
  readonly index: VectorIndex
  /** The dataset's column behind each column of the index. */
  readonly columns: readonly number[]
  /** Entries with at least one valid vector. */
  readonly valid: RowMask
  readonly validRows: number
}

/** What is open of the datasets' embeddings: one thing of each (dataset, model), shared by all. */
export interface Store<T> {
  /** Runs a task with that thing, which stays open meanwhile. */
  use<R>(dataset: DatasetInfo, model: string, task: (thing: T) => Promise<R>): Promise<R>
  /** Models whose thing of that dataset is open now. */
  opened(dataset: string): readonly string[]
  /** Closes what nobody has used within that time; answers what it was. */
  closeIdle(idleMs: number): readonly string[]
  /** Idempotent; work in flight finishes. */
  close(): void
}

export type CollectionStore = Store<Collection>

/** Opens and checks one thing, or throws an error that says what is missing. */
export type Open<T> = (dataset: DatasetInfo, model: string) => Promise<T>
export type OpenCollection = Open<VectorIndex>

export function createCollectionStore(open: OpenCollection, now?: () => number): CollectionStore {
  return createStore(
    async (dataset, model) => collectionOf(await open(dataset, model), dataset),
    ({ index }) => index.close(),
    now,
  )
}

export function createStore<T>(
  open: Open<T>,
  close: (thing: T) => void,
  now?: () => number,
): Store<T> {
  const pool = createIdlePool<T>(close, now)
  return {
    async use(dataset, model, task) {
      const name = `${dataset.name} ${model}`
      try {
        return await pool.use(name, () => open(dataset, model), task)
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
  const valid = index.validRows()
  const validRows = countRows(valid)
  return { index: createBatchingIndex(index), columns: positions, valid, validRows }
}

/** The embeddings that are mapped: opened by the first use, closed when idle. */
import type { DatasetInfo } from '../catalogue/catalogue.js'
import { countRows, type RowMask } from '../util/row-mask.js'
import { EmbeddingsBrokenError } from '../errors/embeddings-broken-error.js'
import { NativeError } from '../errors/native-error.js'
import type { ResourceCache } from '../residency/resource-cache.js'
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

/** What is open of the datasets' embeddings: one resource of each (dataset, model), shared by all. */
export interface Store<T> {
  /** Runs a task with that resource, which stays open meanwhile. */
  use<R>(dataset: DatasetInfo, model: string, task: (resource: T) => Promise<R>): Promise<R>
  /** Models whose resource of that dataset is open now. */
  opened(dataset: string): readonly string[]
}

export type CollectionStore = Store<Collection>

/** Opens and checks one resource, or throws an error that says what is missing. */
export type Open<T> = (dataset: DatasetInfo, model: string) => Promise<T>
export type OpenCollection = Open<VectorIndex>

export interface StoreOptions<T> {
  /** Owns what is opened. */
  readonly cache: ResourceCache
  /** What the cache calls the resources, before a dataset and a model. */
  readonly label: string
  readonly open: Open<T>
  readonly close: (resource: T) => void
}

export function createCollectionStore(cache: ResourceCache, open: OpenCollection): CollectionStore {
  return createStore({
    cache,
    label: 'vectors of',
    open: async (dataset, model) => collectionOf(await open(dataset, model), dataset),
    close: ({ index }) => index.close(),
  })
}

export function createStore<T>({ cache, label, open, close }: StoreOptions<T>): Store<T> {
  const kind = cache.kind<T>(label, close)
  return {
    async use(dataset, model, task) {
      const name = `${dataset.name} ${model}`
      try {
        return await kind.use(name, { open: () => open(dataset, model) }, task)
      } catch (error) {
        if (!(error instanceof NativeError) || error.code !== 'EFILE_CHANGED') throw error
        // Somebody wrote into the mapped files; the next use opens what is there then.
        void kind.drop(name)
        throw new EmbeddingsBrokenError(dataset.name, model, { cause: error })
      }
    },
    opened(dataset) {
      const prefix = `${dataset} `
      const open = cache.list(label).filter(({ name, isOpen }) => isOpen && name.startsWith(prefix))
      return open.map(({ name }) => name.slice(prefix.length))
    },
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

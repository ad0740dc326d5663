/** The embeddings that are mapped: opened by the first use, verified while open, closed when idle. */
import type { DatasetInfo } from '../../data/catalogue/catalogue.js'
import { runnable } from '../../base/util/runnable.js'
import { countRows, type RowMask } from '../../base/util/row-mask.js'
import { EmbeddingsBrokenError, IndexMismatchError, NativeError } from '../../base/errors/index.js'
import type { ResourceCache } from '../../models/residency/resource-cache.js'
import { createBatchingIndex } from './batching-index.js'
import type { VectorIndex } from '../../native/addon/vector-index.js'
import type { VerifyOptions } from '../../native/addon/verify.js'
import { createDamages, type Damage } from './damages.js'
import type { Verifier } from './verifier.js'

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
  /** What is out of service since a file of it was found damaged. */
  damaged(): readonly Damage[]
}

export type CollectionStore = Store<Collection>

/** Opens and checks one resource, or throws an error that says what is missing. */
type Open<T> = (dataset: DatasetInfo, model: string) => Promise<T>
export type OpenCollection = Open<VectorIndex>

export interface StoreOptions<T> {
  /** Owns what is opened. */
  readonly cache: ResourceCache
  /** What the cache calls the resources, before a dataset and a model. */
  readonly label: string
  readonly open: Open<T>
  readonly close: (resource: T) => void
  /** Checks a resource that is open. */
  readonly verify: (resource: T, options: VerifyOptions) => Promise<number>
  readonly watching?: Watching | undefined
}

export interface Watching {
  readonly verifier?: Verifier
  /** Gets what is wrong, once each. */
  readonly warn?: ((message: string) => void) | undefined
}

export function createCollectionStore(
  cache: ResourceCache,
  open: OpenCollection,
  watching?: Watching,
): CollectionStore {
  return createStore({
    cache,
    label: 'vectors of',
    open: async (dataset, model) => collectionOf(await open(dataset, model), dataset),
    close: ({ index }) => index.close(),
    verify: ({ index }, options) => index.verify?.(options) ?? Promise.resolve(0),
    watching,
  })
}

export function createStore<T extends object>(options: StoreOptions<T>): Store<T> {
  const { cache, label, open, close, verify, watching = {} } = options
  const { verifier, warn = () => undefined } = watching
  const watches = new WeakMap<T, AbortController>()
  const kind = cache.kind<T>(label, (resource) => {
    watches.get(resource)?.abort()
    close(resource)
  })
  const damages = createDamages(({ error }) => warn(describe(error)))

  /** What opens was read whole, so it is not damaged any more. */
  async function openChecked(dataset: DatasetInfo, model: string): Promise<T> {
    const name = `${dataset.name} ${model}`
    const begunMs = performance.now()
    try {
      const resource = await open(dataset, model)
      damages.remove(name)
      const watch = new AbortController()
      watches.set(resource, watch)
      verifier?.watch(
        (verifyOptions) => verify(resource, verifyOptions),
        watch.signal,
        (fault) => takeOut(dataset, model, fault),
      )
      return resource
    } catch (error) {
      if (!(error instanceof EmbeddingsBrokenError)) damages.remove(name)
      else damages.add(name, { dataset: dataset.name, model, error }, performance.now() - begunMs)
      throw error
    }
  }

  /** Codes only speed up: without them the next opening reads the matrix, so nothing is out of service. */
  function takeOut(dataset: DatasetInfo, model: string, cause: unknown): void {
    const name = `${dataset.name} ${model}`
    const error = new EmbeddingsBrokenError(dataset.name, model, { cause })
    const isOfCodes = cause instanceof NativeError && cause.code.startsWith('ECODES_')
    if (isOfCodes) warn(describe(error))
    else damages.add(name, { dataset: dataset.name, model, error }, 0)
    void kind.drop(name)
  }

  return {
    damaged: () => damages.list(),
    async use(dataset, model, task) {
      const name = `${dataset.name} ${model}`
      damages.check(name)
      const run = () => kind.use(name, { open: () => openChecked(dataset, model) }, task)
      try {
        return await run()
      } catch (error) {
        // The index that was open has been removed from its engine, and its successor may be there; or somebody wrote
        // into the mapped files, which are read whole when they are opened, without codes that are damaged.
        if (!(error instanceof IndexMismatchError || isOfChangedFile(error))) throw error
        void kind.drop(name)
        return await run().catch((cause: unknown) => {
          // What cannot be opened after somebody wrote into it is being written.
          if (!isOfChangedFile(error) && !isOfChangedFile(cause)) throw cause
          void kind.drop(name)
          throw new EmbeddingsBrokenError(dataset.name, model, { cause })
        })
      }
    },
    opened(dataset) {
      const prefix = `${dataset} `
      const open = cache.list(label).filter(({ name, isOpen }) => isOpen && name.startsWith(prefix))
      return open.map(({ name }) => name.slice(prefix.length))
    },
  }
}

const isOfChangedFile = (error: unknown): boolean =>
  error instanceof NativeError && error.code === 'EFILE_CHANGED'

function describe({ message, cause, remedy }: EmbeddingsBrokenError): string {
  const reason = cause instanceof Error ? ` ${cause.message}.` : ''
  return runnable(`${message}${reason} To fix it, run: ${remedy}`)
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
  const shared = index.concurrent === true ? index : createBatchingIndex(index)
  return { index: shared, columns: positions, valid, validRows }
}

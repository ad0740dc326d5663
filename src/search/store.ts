/** The open collections: one of each (dataset, model), opened at its first use, closed when idle. */
import type { DatasetInfo } from '../catalogue/catalogue.js'
import type { ColumnMap } from './hydrate.js'
import type { VectorIndex } from './vector-index.js'

/** Owns its index; the store that opened it closes it. */
export interface Collection {
  readonly index: VectorIndex
  readonly columns: ColumnMap
  /** Entries with at least one valid vector. */
  readonly validRows: number
}

export interface CollectionStore {
  /**
   * Runs a task with a collection, which stays open meanwhile. It is opened once, however many ask at
   * the same time; a failure is told to them and not kept.
   */
  use<T>(
    dataset: DatasetInfo,
    model: string,
    task: (collection: Collection) => Promise<T>,
  ): Promise<T>
  /** Names of what is open now. */
  opened(): readonly { readonly dataset: string; readonly model: string }[]
  /** Closes what nobody has used within that time. */
  closeIdle(idleMs: number): void
  /** Idempotent; searches in flight finish. */
  close(): void
}

/** Opens and checks one collection, or throws an error that says what is missing. */
export type OpenCollection = (dataset: DatasetInfo, model: string) => Promise<VectorIndex>

interface Slot {
  readonly dataset: string
  readonly model: string
  readonly opening: Promise<Collection>
  /** Undefined while it is being opened. */
  collection?: Collection
  users: number
  usedAt: number
}

export function createCollectionStore(
  open: OpenCollection,
  now: () => number = () => performance.now(),
): CollectionStore {
  const slots = new Map<string, Slot>()
  let isClosed = false

  function begin(key: string, dataset: DatasetInfo, model: string): Slot {
    const opening = open(dataset, model).then((index) => collectionOf(index, dataset))
    const slot: Slot = { dataset: dataset.name, model, opening, users: 0, usedAt: now() }
    slots.set(key, slot)
    opening.then(
      (collection) => {
        slot.collection = collection
        if (isClosed) collection.index.close()
      },
      () => slots.delete(key),
    )
    return slot
  }

  return {
    async use(dataset, model, task) {
      if (isClosed) throw new Error('the store of collections is closed')
      const key = `${dataset.name} ${model}`
      const slot = slots.get(key) ?? begin(key, dataset, model)
      slot.users += 1
      try {
        return await task(await slot.opening)
      } finally {
        slot.users -= 1
        slot.usedAt = now()
      }
    },
    opened() {
      const open = [...slots.values()].filter(({ collection }) => collection !== undefined)
      return open.map(({ dataset, model }) => ({ dataset, model }))
    },
    closeIdle(idleMs) {
      for (const [key, { collection, users, usedAt }] of slots) {
        if (collection === undefined || users > 0 || now() - usedAt < idleMs) continue
        slots.delete(key)
        collection.index.close()
      }
    },
    close() {
      isClosed = true
      for (const { collection } of slots.values()) collection?.index.close()
      slots.clear()
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
  const { validRows } = index.stats()
  return { index, columns: { names: index.columns, positions }, validRows }
}

/** Changes of the catalogue as routes request them; one process of a server keeps the journal. */
import type { DatasetName } from '../../data/catalogue/dataset.js'
import type { EntryFilter } from '../../data/catalogue/filter.js'
import type { WriteOperation } from '../../data/writes/operation.js'
import type { Task } from '../schemas/writes.js'

export interface Writes {
  /**
   * Resolves when the write is on disk. Rejects with a NotFoundError for an entry that is not there, an OverloadedError,
   * a JournalBusyError, and what the file system throws.
   * @param isKnown whether the catalogue that is served has the entry, for writes of one
   */
  write(operation: WriteOperation, isKnown?: boolean): Promise<Task>
  /** The newest first. */
  tasks(): Promise<readonly Task[]>
  /** Undefined for one that is not known, or not any more. */
  task(id: number): Promise<Task | undefined>
}

/** The same with what the catalogue that is served has. */
export interface WritableCatalogue {
  readonly writes: Writes
  /** Undefined for a dataset that is not there. */
  columnsOf(dataset: DatasetName): readonly string[] | undefined
  hasEntry(dataset: DatasetName, id: number): boolean
  /** @throws ValidationError for what the dataset cannot be filtered by */
  checkFilter(dataset: DatasetName, filter: EntryFilter): void
}

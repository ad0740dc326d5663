/** A change of a dataset, as one request makes it: all of it happens, or nothing. */
import type { DatasetName } from '../catalogue/dataset.js'
import type { EntryFacts } from '../catalogue/entry-facts.js'
import type { EntryFilter } from '../catalogue/filter.js'

/** An entry in the shape of an export, cleaned as an import cleans it. A member that is absent is unknown. */
export interface WrittenEntry {
  readonly id: number
  readonly title: string
  readonly type?: string | null
  readonly year?: number | null
  readonly score?: number | null
  readonly popularity?: number | null
  readonly genres?: readonly string[]
  readonly facts: EntryFacts
  readonly metadata?: Readonly<Record<string, unknown>>
  /** By column; null where blank. */
  readonly texts?: Readonly<Record<string, string | null>>
}

/** Members that are there replace those of the entry; metadata and texts do so one by one. */
export type EntryChanges = Partial<Omit<WrittenEntry, 'id'>>

export type WriteOperation =
  | {
      readonly kind: 'put'
      readonly dataset: DatasetName
      readonly entries: readonly WrittenEntry[]
    }
  | {
      readonly kind: 'patch'
      readonly dataset: DatasetName
      readonly id: number
      readonly changes: EntryChanges
    }
  | { readonly kind: 'delete'; readonly dataset: DatasetName; readonly ids: readonly number[] }
  | {
      readonly kind: 'delete-matching'
      readonly dataset: DatasetName
      readonly filter: EntryFilter
    }

export interface WriteRecord {
  /** Counts all writes of a data folder, from 1. */
  readonly seq: number
  /** ISO 8601. */
  readonly at: string
  readonly operation: WriteOperation
}

/** Entries that an operation names; null where a filter finds them. */
export function entriesOf(operation: WriteOperation): number | null {
  switch (operation.kind) {
    case 'put':
      return operation.entries.length
    case 'patch':
      return 1
    case 'delete':
      return operation.ids.length
    case 'delete-matching':
      return null
  }
}

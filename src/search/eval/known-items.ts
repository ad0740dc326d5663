/** Known-item retrieval: a text that was written about one entry, and the entry that it should find. */
import type { DatasetColumn, DatasetName } from '../../data/catalogue/catalogue.js'

export interface KnownItem {
  readonly dataset: DatasetName
  /** What is searched for: trimmed, not empty. */
  readonly query: string
  /** Rows that count as found, at least one: entries of the same title cannot be distinguished. */
  readonly rows: readonly number[]
}

/** Items that are measured as one. */
export interface ItemSet {
  readonly name: string
  readonly items: readonly KnownItem[]
  /** Items that were left out, by reason. */
  readonly leftOut: readonly LeftOut[]
  /** The column that the queries come from; all else is searched. */
  readonly without?: DatasetColumn
}

export interface LeftOut {
  readonly reason: string
  readonly count: number
}

/** The datasets of a catalogue, and how each is laid out. */

export type DatasetName = 'anime' | 'manga'
export const datasetNames: readonly DatasetName[] = ['anime', 'manga']

export interface DatasetInfo {
  readonly name: DatasetName
  /** Hash of the dataset's rows and texts; embeddings are bound to it. */
  readonly version: string
  readonly rows: number
  /** Names of the synopsis columns, in order. */
  readonly columns: readonly string[]
}

/** One synopsis column of a dataset. */
export interface DatasetColumn {
  readonly dataset: DatasetName
  /** Position in `DatasetInfo.columns`. */
  readonly column: number
}

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

/** Whose data a dataset is made of, and on which terms. */
export interface Origin {
  /** Of the data set. */
  readonly name: string
  readonly url: string
  readonly licence: string
  readonly licenceUrl: string
  /** What has to be said with what is made of it. */
  readonly attribution: string
  /** What was imported, and how; null where nobody compares it. */
  readonly state: string | null
}

/** What the state of the included works begins with where a first start has imported them, and nothing changed since. */
export const firstStart = 'first start '

/** Of data that no longer are what a first start has imported. */
export const changedOrigins = (origins: readonly Origin[]): readonly Origin[] =>
  origins.map((origin) =>
    origin.state?.startsWith(firstStart) ? { ...origin, state: null } : origin,
  )

/** One synopsis column of a dataset. */
export interface DatasetColumn {
  readonly dataset: DatasetName
  /** Position in `DatasetInfo.columns`. */
  readonly column: number
}

/** The first column in which the included works are described as people remember them. */
export const descriptionsColumn = 'in other words'

/** The datasets of a catalogue, and how each is laid out. */

/** `anime`, `manga`, or a name of the operator's choice; see `isDatasetName`. */
export type DatasetName = string

/** What the included works, AniList and public data sets have. A server has their routes even if its catalogue lacks them. */
export const workDatasets = ['anime', 'manga'] as const
export type WorkDataset = (typeof workDatasets)[number]

/** A name is a part of addresses, of file names and of names of indices. `all` and `both` choose several datasets. */
export const datasetPattern = /^(?!(?:all|both)$)[a-z][a-z0-9-]{0,39}$/
export const expectedName =
  'anime, manga, or a name of at most 40 small letters, digits and hyphens that begins with a letter'

export const isDatasetName = (word: string): boolean => datasetPattern.test(word)

export const isWorkDataset = (name: DatasetName): name is WorkDataset =>
  workDatasets.some((one) => one === name)

/** Those of a catalogue, and anime and manga, whose requests are answered with what to import. */
export const servedDatasets = (names: readonly DatasetName[]): readonly DatasetName[] =>
  inDatasetOrder([...workDatasets, ...names])

/** Distinct names: anime, manga, and the others by alphabet. */
export function inDatasetOrder(names: Iterable<DatasetName>): readonly DatasetName[] {
  const present = new Set(names)
  const others = [...present].filter((name) => !isWorkDataset(name)).sort()
  return [...workDatasets.filter((name) => present.has(name)), ...others]
}

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

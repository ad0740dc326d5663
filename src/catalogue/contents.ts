/** A dataset as it goes into a catalogue. */
import { createHash } from 'node:crypto'
import type { Catalogue, DatasetName, Entry } from './catalogue.js'
import { packPopularity } from './popularity.js'

export interface CatalogueRow extends Entry {
  /** In the order of the columns, null where blank. */
  readonly texts: readonly (string | null)[]
  /**
   * -ln of the share of its source's works that at least as many know: 0 for the least known, 4.6 for
   * one of the first hundredth, 1 on average, whatever the source counts. Null where none tells.
   */
  readonly popularity?: number | null
}

export interface DatasetContents {
  readonly name: DatasetName
  readonly columns: readonly string[]
  /** In the order of their ids, which are distinct. */
  readonly rows: readonly CatalogueRow[]
}

/** Hash of all that the dataset holds, in order; the same for the same input on any machine. */
export function datasetVersion({ name, columns, rows }: DatasetContents): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([name, columns]))
  for (const { id, title, type, year, score, genres, metadata, texts } of rows) {
    hash.update('\n')
    hash.update(JSON.stringify([id, title, type, year, score, genres, metadata, texts]))
  }
  hash.update(packPopularity(rows) ?? '')
  return hash.digest('hex')
}

/** The dataset as an existing catalogue has it. */
export function readContents(catalogue: Catalogue, name: DatasetName): DatasetContents | undefined {
  const info = catalogue.dataset(name)
  if (info === undefined) return undefined
  const popularity = catalogue.popularity(name)
  const rows = Array.from({ length: info.rows }, (_, row) => ({
    ...catalogue.entry(name, row),
    popularity: knownOrNull(popularity?.[row]),
    texts: info.columns.map((_, column) => catalogue.text(name, row, column)),
  }))
  return { name, columns: info.columns, rows }
}

const knownOrNull = (value = NaN) => (Number.isNaN(value) ? null : value)

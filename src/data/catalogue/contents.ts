/** A dataset as it goes into a catalogue. */
import { createHash } from 'node:crypto'
import type { Catalogue, DatasetName, Origin } from './catalogue.js'
import type { CatalogueRow } from './catalogue-row.js'
import type { PackedEntry } from './packed-entry.js'
import type { OtherRows } from '../lexical/postings.js'
import type { Filterable } from './own-values.js'

export interface DatasetContents {
  readonly name: DatasetName
  readonly columns: readonly string[]
  /** Whose data it is made of. The version does not depend on it. */
  readonly origins?: readonly Origin[]
  /** Names of the metadata that requests may filter by. The version does not depend on it. */
  readonly filterables?: readonly Filterable[]
  /** A catalogue that may have the same dataset, whose index of rows is copied then. */
  readonly indexedIn?: string | undefined
  /** Rows that are searched together with these, in another catalogue. */
  readonly others?: OtherRows | undefined
  /** How many rows there are, or a few more. */
  readonly expectedRows?: number
  /** In the order of their ids, which are distinct. Taken once, row by row: they need not be in memory. */
  readonly rows: Iterable<CatalogueRow>
}

export interface VersionHash {
  add(packed: PackedEntry, texts: CatalogueRow['texts']): void
  /** @param popularity of all rows, as it is packed */
  digest(popularity: Buffer | null): string
}

/** Hash of all that the dataset holds, in order; the same for the same input on any machine. */
export function createVersionHash({ name, columns }: DatasetContents): VersionHash {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([name, columns]))
  return {
    add: ({ values }, texts) => void hash.update(`\n${values},${JSON.stringify(texts)}]`),
    digest: (popularity) => hash.update(popularity ?? '').digest('hex'),
  }
}

/** The dataset as an existing catalogue has it, which has to stay open until the rows were taken. */
export function readContents(catalogue: Catalogue, name: DatasetName): DatasetContents | undefined {
  const info = catalogue.dataset(name)
  if (info === undefined) return undefined
  const { rows: rowCount, columns } = info
  const popularity = catalogue.popularity(name)
  function* rows(): Iterable<CatalogueRow> {
    for (let row = 0; row < rowCount; row += 1) {
      const texts = columns.map((_, column) => catalogue.text(name, row, column))
      yield { ...catalogue.entry(name, row), popularity: knownOrNull(popularity?.[row]), texts }
    }
  }
  const filterables = catalogue.ownValues(name).fields
  const origins = catalogue.origins(name)
  return { name, columns, origins, filterables, expectedRows: rowCount, rows: rows() }
}

const knownOrNull = (value = NaN) => (Number.isNaN(value) ? null : value)

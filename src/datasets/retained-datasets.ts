/** Datasets of the old catalogue that an import leaves as they are. */
import type { Catalogue, DatasetName } from '../catalogue/catalogue.js'
import { readContents, type CatalogueRow, type DatasetContents } from '../catalogue/contents.js'
import { openCatalogue } from '../catalogue/open-catalogue.js'
import { CatalogueError } from '../errors/catalogue-error.js'

export interface RetainedDatasets {
  readonly contents: readonly DatasetContents[]
  readonly rowCount: number
  /** Why the old catalogue's other datasets could not be kept, null where nothing is wrong. */
  readonly lossReason: string | null
}

/** An old catalogue that cannot be read to its end is no reason to keep it: an import is what mends it. */
export function readRetained(file: string, replaced: ReadonlySet<DatasetName>): RetainedDatasets {
  try {
    const catalogue = openCatalogue(file)
    try {
      const infos = catalogue.datasets().filter(({ name }) => !replaced.has(name))
      const contents = infos.map(({ name, columns }) => ({
        name,
        columns,
        rows: rowsOf(file, name),
      }))
      const rowCount = infos.reduce((sum, { name }) => sum + readRows(catalogue, name), 0)
      return { contents, rowCount, lossReason: null }
    } finally {
      catalogue.close()
    }
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    return {
      contents: [],
      rowCount: 0,
      lossReason: error.code === 'missing' ? null : error.problem,
    }
  }
}

/** Reads all that the dataset has, and answers how many rows that are. */
function readRows(catalogue: Catalogue, name: DatasetName): number {
  return Array.from(readContents(catalogue, name)?.rows ?? [], ({ id }) => id).length
}

/** Opens the file for as long as its rows are taken: not every system replaces one that is open. */
function* rowsOf(file: string, name: DatasetName): Iterable<CatalogueRow> {
  const catalogue = openCatalogue(file)
  try {
    yield* readContents(catalogue, name)?.rows ?? []
  } finally {
    catalogue.close()
  }
}

/** Datasets of the old catalogue that an import does not replace. */
import type { Catalogue, DatasetName } from '../catalogue/catalogue.js'
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import { readContents, type DatasetContents } from '../catalogue/contents.js'
import { openCatalogue } from '../catalogue/open-catalogue.js'
import { verifyCatalogue } from '../catalogue/verify-catalogue.js'
import { CatalogueError } from '../../base/errors/index.js'

export interface RetainedDatasets {
  readonly contents: readonly DatasetContents[]
  readonly rowCount: number
  /** Why the old catalogue could not be read; null if nothing is lost. */
  readonly lossReason: string | null
}

/** A damaged old catalogue does not stop the import: an import is how to repair it. */
export async function readRetained(
  file: string,
  replaced: ReadonlySet<DatasetName>,
): Promise<RetainedDatasets> {
  try {
    await verifyCatalogue(file)
    const catalogue = openCatalogue(file)
    try {
      const infos = catalogue.datasets().filter(({ name }) => !replaced.has(name))
      const contents = infos.map(({ name, columns }) => ({
        name,
        columns,
        origins: catalogue.origins(name),
        filterables: catalogue.ownValues(name).fields,
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

/** Reads the whole dataset, which finds damage, and returns its number of rows. */
function readRows(catalogue: Catalogue, name: DatasetName): number {
  return Array.from(readContents(catalogue, name)?.rows ?? [], ({ id }) => id).length
}

/** Keeps the file open only while rows are read: some systems cannot replace an open file. */
function* rowsOf(file: string, name: DatasetName): Iterable<CatalogueRow> {
  const catalogue = openCatalogue(file)
  try {
    yield* readContents(catalogue, name)?.rows ?? []
  } finally {
    catalogue.close()
  }
}

/** What an update would change in the catalogue. */
import type { Catalogue, DatasetName, Origin } from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import type { ImportSettings } from '../base/config/settings.js'
import type { KeptDump, PublicDump } from '../data/datasets/public-dumps.js'
import { CatalogueError } from '../base/errors/index.js'
import { version } from '../base/util/version.js'

/** Datasets that neither an update nor the first start has made. */
export function foreignDatasets(
  dataDir: string,
  dumps: readonly PublicDump[],
): readonly DatasetName[] {
  return withCatalogue(dataDir, [], (catalogue) =>
    dumps.flatMap(({ dataset }) => {
      const isThere = catalogue.dataset(dataset) !== undefined
      return isThere && catalogue.origins(dataset).length === 0 ? [dataset] : []
    }),
  )
}

/** Those that the catalogue does not have, or has by other settings. */
export function changedDumps(
  dumps: readonly KeptDump[],
  settings: ImportSettings,
): readonly KeptDump[] {
  const state = stateOf(dumps, settings)
  return withCatalogue(settings.dataDir, dumps, (catalogue) =>
    dumps.filter(({ dump: { dataset, origin } }) => {
      if (catalogue.dataset(dataset) === undefined) return true
      const [imported, ...others] = catalogue.origins(dataset)
      return others.length > 0 || imported?.name !== origin.name || imported.state !== state(origin)
    }),
  )
}

/** A dump that has lost more of its works than this was probably cut off. */
const keptShare = 0.9

/** Of each dataset that came from these dumps before, the works that the next one has at least. */
export function leastWorks(
  dumps: readonly KeptDump[],
  { dataDir }: Pick<ImportSettings, 'dataDir'>,
): ReadonlyMap<DatasetName, number> {
  return withCatalogue(dataDir, new Map(), (catalogue) => {
    const earlier = dumps.flatMap(({ dump: { dataset, origin } }) => {
      const rows = catalogue.dataset(dataset)?.rows ?? 0
      const isSame = catalogue.origins(dataset)[0]?.name === origin.name
      return isSame ? [[dataset, Math.ceil(rows * keptShare)] as const] : []
    })
    return new Map(earlier)
  })
}

/** What is recorded with an origin: the file, and what else decides on the result. */
export function stateOf(
  dumps: readonly KeptDump[],
  { leaveOut, works }: Pick<ImportSettings, 'leaveOut' | 'works'>,
): (origin: Origin) => string | null {
  const hashes = new Map(dumps.map(({ dump, sha256 }) => [dump.origin.name, sha256]))
  return ({ name }) => {
    const hash = hashes.get(name)
    const parts = [hash, `leave out ${leaveOut.join()}`, `works ${works}`, version]
    return hash === undefined ? null : parts.join(', ')
  }
}

/** Returns `otherwise` for a catalogue that cannot be read; the import replaces it. */
function withCatalogue<T>(dataDir: string, otherwise: T, read: (catalogue: Catalogue) => T): T {
  try {
    const catalogue = openCatalogue(catalogueFile(dataDir))
    try {
      return read(catalogue)
    } finally {
      catalogue.close()
    }
  } catch (error) {
    if (error instanceof CatalogueError) return otherwise
    throw error
  }
}

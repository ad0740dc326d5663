/** Imports the included works, and builds their embeddings with the built-in model and that of /search. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { counted } from '../../base/util/counted.js'
import { runnable } from '../../base/util/runnable.js'
import { withBuildLock } from '../../base/util/build-lock.js'
import type { Catalogue, DatasetName } from '../../data/catalogue/catalogue.js'
import { openCatalogue } from '../../data/catalogue/open-catalogue.js'
import { renameCatalogue } from '../../data/catalogue/row-indexes.js'
import type { ServerSettings, Settings } from '../../base/config/settings.js'
import { importDatasets } from '../../data/datasets/import.js'
import { buildEmbeddings } from '../../data/embed/build.js'
import { createEncoders } from '../../models/residency/encoders.js'
import { DataImportError } from '../../base/errors/index.js'
import { builtinModel, type ResolvedModel } from '../../models/registry/registry.js'
import { requireInstalled, resolveModel } from '../../models/registry/resolve-model.js'
import { autoEncoder } from '../../search/ranking/search-encoder.js'
import { holdsOtherWorks, worksState } from './works-state.js'

const works = ['anime.json', 'manga.json'].map((name) =>
  fileURLToPath(new URL(`../../../data/works/${name}`, import.meta.url)),
)

/** A command that searches names an encoder, maybe one that comes later by itself. */
export type FirstStartSettings = Settings & Partial<Pick<ServerSettings, 'searchEncoder'>>

/**
 * The file of the catalogue appears last; one that a first start of another version has made is replaced then. Rejects
 * with a DataImportError while another process builds it.
 * @param mappings of what to import
 */
export async function importWorks(
  file: string,
  settings: FirstStartSettings,
  logger: Logger,
  mappings: readonly string[] = works,
): Promise<void> {
  const start = `${file}.starting`
  const isFree = await withBuildLock(start, async () => {
    // Another process may have made it just now.
    if (!existsSync(file) || holdsOtherWorks(file)) await importTo(file, settings, logger, mappings)
    return true
  })
  if (!isFree) {
    throw new DataImportError(
      file,
      'another process is building this catalogue; wait until it ends',
    )
  }
  await rm(`${start}.lock`, { force: true })
}

async function importTo(
  file: string,
  settings: FirstStartSettings,
  logger: Logger,
  mappings: readonly string[],
): Promise<void> {
  const reason = existsSync(file) ? 'has the works of another version' : 'does not exist'
  logger.info(
    `first start: ${file} ${reason}; importing the included works and building their embeddings, up to a minute`,
  )
  const temporary = `${file}.first-start`
  await rm(temporary, { force: true })
  const { datasets } = await importDatasets(mappings, { into: temporary, stateOf: worksState })
  const entries = datasets.reduce((sum, { rows }) => sum + rows, 0)
  logger.info(`first start: ${counted(entries, 'entry is', 'entries are')} imported`)
  await buildAll(temporary, settings, logger)
  renameCatalogue(temporary, file)
  await rm(`${temporary}.lock`, { force: true })
  const own = runnable('`synoptic data init FILE` begins with your own data')
  logger.info(`first start: ${counted(entries, 'entry is', 'entries are')} ready; ${own}`)
}

/** Datasets side by side, each with a worker of its own: a third less time than one after the other. */
async function buildAll(file: string, settings: FirstStartSettings, logger: Logger): Promise<void> {
  const catalogue = openCatalogue(file)
  try {
    const builds = catalogue.datasets().map(async ({ name }) => {
      await buildOne(catalogue, name, settings)
      logger.info(`first start: the embeddings of ${name} are built`)
    })
    const failed = (await Promise.allSettled(builds)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  } finally {
    catalogue.close()
  }
}

async function buildOne(
  catalogue: Catalogue,
  dataset: DatasetName,
  settings: FirstStartSettings,
): Promise<void> {
  const { embeddingsDir } = settings
  const encoders = createEncoders()
  try {
    for (const model of modelsOf(settings)) {
      const encoder = await encoders.get(model)
      const { folder: modelFolder } = model
      await buildEmbeddings({ catalogue, encoder, modelFolder, dataset, embeddingsDir })
    }
  } finally {
    await encoders.close()
  }
}

/** The server refuses an encoder that is not installed. */
function modelsOf({ searchEncoder = autoEncoder, modelsDir }: FirstStartSettings): ResolvedModel[] {
  const builtin = requireInstalled(builtinModel, { modelsDir })
  if (searchEncoder === autoEncoder || searchEncoder === builtinModel) return [builtin]
  const chosen = resolveModel(searchEncoder, { modelsDir })
  return chosen.installed ? [builtin, chosen] : [builtin]
}

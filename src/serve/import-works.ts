/** Imports the works that ship with the program, and builds their embeddings with the built-in model. */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { counted } from '../util/counted.js'
import { runnable } from '../util/runnable.js'
import { withBuildLock } from '../util/build-lock.js'
import type { Catalogue, DatasetName } from '../catalogue/catalogue.js'
import { openCatalogue } from '../catalogue/open-catalogue.js'
import type { Settings } from '../config/settings.js'
import { importDatasets } from '../datasets/import.js'
import { buildEmbeddings } from '../embed/build.js'
import { createEncoders } from '../residency/encoders.js'
import { DataImportError } from '../errors/data-import-error.js'
import { builtinModel, resolveModel } from '../models/registry.js'

const works = ['anime.json', 'manga.json'].map((name) =>
  fileURLToPath(new URL(`../../data/works/${name}`, import.meta.url)),
)

/**
 * The file of the catalogue appears last. Rejects with a DataImportError while another process builds it.
 * @param mappings of what to import
 */
export async function importWorks(
  file: string,
  settings: Settings,
  logger: Logger,
  mappings: readonly string[] = works,
): Promise<void> {
  const start = `${file}.starting`
  const isFree = await withBuildLock(start, async () => {
    // Another process may have made it just now.
    if (!existsSync(file)) await importTo(file, settings, logger, mappings)
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
  settings: Settings,
  logger: Logger,
  mappings: readonly string[],
): Promise<void> {
  logger.info(
    `first start: ${file} does not exist; importing the included works and building their embeddings`,
  )
  const temporary = `${file}.first-start`
  await rm(temporary, { force: true })
  const { datasets } = await importDatasets(mappings, { into: temporary })
  await buildAll(temporary, settings)
  await rename(temporary, file)
  await rm(`${temporary}.lock`, { force: true })
  const entries = datasets.reduce((sum, { rows }) => sum + rows, 0)
  const own = runnable('`synoptic data init FILE` begins with your own data')
  logger.info(`first start: ${counted(entries, 'entry is', 'entries are')} ready; ${own}`)
}

/** Datasets side by side, each with a worker of its own: a third less time than one after the other. */
async function buildAll(file: string, settings: Settings): Promise<void> {
  const catalogue = openCatalogue(file)
  try {
    const builds = catalogue.datasets().map(({ name }) => buildOne(catalogue, name, settings))
    const failed = (await Promise.allSettled(builds)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  } finally {
    catalogue.close()
  }
}

async function buildOne(
  catalogue: Catalogue,
  dataset: DatasetName,
  { embeddingsDir, modelsDir }: Settings,
): Promise<void> {
  const encoders = createEncoders({ modelsDir })
  try {
    const encoder = await encoders.get(builtinModel)
    const { folder: modelFolder } = resolveModel(builtinModel, { modelsDir })
    await buildEmbeddings({ catalogue, encoder, modelFolder, dataset, embeddingsDir })
  } finally {
    await encoders.close()
  }
}

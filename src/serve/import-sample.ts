/** The sample that ships with the program, imported and with embeddings by the built-in model. */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { withBuildLock } from '../util/build-lock.js'
import { openCatalogue } from '../catalogue/open-catalogue.js'
import type { Settings } from '../config/settings.js'
import { importDatasets } from '../datasets/import.js'
import { buildEmbeddings } from '../embed/build.js'
import { createEncoders } from '../residency/encoders.js'
import { DataImportError } from '../errors/data-import-error.js'
import { builtinModel, resolveModel } from '../models/registry.js'

const sample = ['anime.json', 'manga.json'].map((name) =>
  fileURLToPath(new URL(`../../data/sample/${name}`, import.meta.url)),
)

/** The catalogue's file appears last. Rejects with a DataImportError while another process makes it. */
export async function importSample(
  file: string,
  settings: Settings,
  logger: Logger,
): Promise<void> {
  const start = `${file}.starting`
  const isFree = await withBuildLock(start, async () => {
    // Another process may have made it just now.
    if (!existsSync(file)) await importAside(file, settings, logger)
    return true
  })
  if (!isFree) {
    throw new DataImportError(file, 'another process is building this catalogue; wait for its end')
  }
  await rm(`${start}.lock`, { force: true })
}

async function importAside(file: string, settings: Settings, logger: Logger): Promise<void> {
  logger.info(`first start: there is no ${file}; importing the sample and building its embeddings`)
  const aside = `${file}.first-start`
  await rm(aside, { force: true })
  const { datasets } = await importDatasets(sample, { into: aside })
  await buildAll(aside, settings)
  await rename(aside, file)
  await rm(`${aside}.lock`, { force: true })
  const entries = datasets.reduce((sum, { rows }) => sum + rows, 0)
  logger.info(`first start: ${entries} entries are ready; \`synoptic data import\` brings your own`)
}

async function buildAll(file: string, { embeddingsDir, modelsDir }: Settings): Promise<void> {
  const catalogue = openCatalogue(file)
  const encoders = createEncoders({ modelsDir })
  try {
    const encoder = await encoders.get(builtinModel)
    const { folder: modelFolder } = resolveModel(builtinModel, { modelsDir })
    for (const { name: dataset } of catalogue.datasets()) {
      await buildEmbeddings({ catalogue, encoder, modelFolder, dataset, embeddingsDir })
    }
  } finally {
    await encoders.close()
    catalogue.close()
  }
}

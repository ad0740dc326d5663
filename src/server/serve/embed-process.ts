/** A process of its own that embeds works at a low priority: `node embed-process.js JSON`. It ends with its parent. */
import { setTimeout as delay } from 'node:timers/promises'
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../../data/catalogue/open-catalogue.js'
import type { Settings } from '../../base/config/settings.js'
import { buildEmbeddings } from '../../data/embed/build.js'
import { EmbeddingsBusyError } from '../../base/errors/index.js'
import { requireInstalled } from '../../models/registry/resolve-model.js'
import { createEncoders } from '../../models/residency/encoders.js'
import {
  beginBackgroundWork,
  endBackgroundWork,
  reportProblem,
} from '../../base/util/background-work.js'

export interface EmbedWork {
  readonly settings: Pick<Settings, 'dataDir' | 'modelsDir' | 'embeddingsDir'>
  readonly model: string
  readonly datasets: readonly DatasetName[]
}

const busyMs = 5000

const { work, signal } = beginBackgroundWork()
const { settings, model: name, datasets } = work as EmbedWork
const catalogue = openCatalogue(catalogueFile(settings.dataDir))
const encoders = createEncoders()
try {
  const model = requireInstalled(name, settings)
  const { embeddingsDir } = settings
  const encoder = await encoders.get(model)
  const common = { catalogue, encoder, modelFolder: model.folder, embeddingsDir }
  for (const dataset of datasets) await build({ ...common, dataset, signal })
} catch (error) {
  reportProblem(error, signal)
} finally {
  await encoders.close()
  catalogue.close()
  endBackgroundWork()
}

/** Another server may build the same files at the same time; then its vectors are taken. */
async function build(options: Parameters<typeof buildEmbeddings>[0]): Promise<void> {
  for (;;) {
    try {
      await buildEmbeddings(options)
      return
    } catch (error) {
      if (!(error instanceof EmbeddingsBusyError)) throw error
      await delay(busyMs, undefined, { signal })
    }
  }
}

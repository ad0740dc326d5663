/** Shared by the commands that build embeddings: catalogue, encoder, stop signals, progress. */
import type { Catalogue } from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import { verifyCatalogue } from '../data/catalogue/verify-catalogue.js'
import type { EmbedSettings } from '../base/config/settings.js'
import type { BuildProgress, BuildResult } from '../data/embed/build.js'
import type { Encoder } from '../models/encoders/encoder.js'
import { createEncoders } from '../models/residency/encoders.js'
import type { ResolvedModel } from '../models/registry/registry.js'
import { requireInstalled } from '../models/registry/resolve-model.js'
import { createBuildProgressBar } from './embed-progress.js'
import { stopOnSignal } from './stop-on-signal.js'
import { printError } from './print.js'

export interface BuildTools {
  readonly catalogue: Catalogue
  readonly model: ResolvedModel
  readonly encoder: Encoder
  readonly modelFolder: string
  readonly embeddingsDir: string
  readonly signal: AbortSignal
}

/** Runs a task with a model's encoder. Resolves to the exit status. */
export async function runBuild(
  { dataDir, modelsDir, embeddingsDir, device }: EmbedSettings,
  name: string,
  task: (tools: BuildTools) => Promise<void>,
): Promise<number> {
  // Vectors of damaged texts would be wrong for good.
  await verifyCatalogue(catalogueFile(dataDir))
  const catalogue = openCatalogue(catalogueFile(dataDir))
  const encoders = createEncoders({
    isBulk: true,
    device: device === 'auto' ? undefined : device,
    warn: (message) => printError(`warning: ${message}\n`),
  })
  const stop = stopOnSignal()
  try {
    const model = requireInstalled(name, { modelsDir })
    const { folder: modelFolder } = model
    const encoder = await encoders.get(model)
    await task({ catalogue, model, encoder, modelFolder, embeddingsDir, signal: stop.signal })
    return 0
  } catch (error) {
    if (!stop.signal.aborted || error !== stop.signal.reason) throw error
    printError('Stopped. To resume, run the same command again.\n')
    return 130
  } finally {
    await encoders.close()
    catalogue.close()
    stop.forget()
  }
}

/** Shows the progress of a build, then its result. */
export async function withProgressBar(
  dataset: string,
  build: (onProgress: (progress: BuildProgress) => void) => Promise<BuildResult>,
): Promise<void> {
  const progressBar = createBuildProgressBar(dataset)
  try {
    progressBar.end(await build(progressBar.show))
  } finally {
    progressBar.close()
  }
}

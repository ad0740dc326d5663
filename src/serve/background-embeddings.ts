/** With `--search-encoder auto`, works are embedded for the better encoder beside a server that runs already. */
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { ServerSettings } from '../config/settings.js'
import { datasetsToEmbed } from '../composition/choose-encoder.js'
import { isGroupEnabled } from '../http/route.js'
import { builtinModel, builtinTransformer as model } from '../models/registry.js'
import { runInBackground } from '../util/background-process.js'
import { type BackgroundTask, createBackgroundTask } from '../util/background-task.js'
import type { EmbedWork } from './embed-process.js'

interface BackgroundEmbeddingsOptions {
  readonly settings: ServerSettings
  readonly logger: Logger
  /** Called when every work is embedded, and was not before. */
  readonly onReady: () => void
}

const file = fileURLToPath(new URL('embed-process.js', import.meta.url))

/**
 * Embeds what is not embedded, or has changed. One for all processes of a server. Does nothing where /search is not
 * served, or has another encoder.
 */
export function keepEmbeddings({
  settings,
  logger,
  onReady,
}: BackgroundEmbeddingsOptions): BackgroundTask {
  const warn = (problem: string) =>
    logger.warn({ model, problem }, `works could not be embedded; /search keeps ${builtinModel}`)

  return createBackgroundTask(async (signal) => {
    if (!isGroupEnabled(settings, 'search')) return
    const datasets = await datasetsToEmbed(settings)
    if (datasets === undefined || datasets.length === 0) return
    const { dataDir, modelsDir, embeddingsDir } = settings
    const work: EmbedWork = { settings: { dataDir, modelsDir, embeddingsDir }, model, datasets }
    logger.info(
      { model },
      `embedding the works in the background; until then ${builtinModel} searches`,
    )
    const startMs = performance.now()
    if (!(await runInBackground({ file, work, onProblem: warn, signal }))) return
    // The catalogue may have changed meanwhile. A reload follows then, which runs this again.
    if ((await datasetsToEmbed(settings))?.length !== 0) return
    const ms = Math.round(performance.now() - startMs)
    logger.info({ model, ms }, 'the works are embedded; reloading')
    onReady()
  }, warn)
}

/** With `--search-encoder auto`, a running server embeds works in the background: for the ranker, the better encoder and other languages. */
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { ServerSettings } from '../../base/config/settings.js'
import { nextToEmbed } from '../../search/composition/choose-encoder.js'
import { isGroupEnabled } from '../http/route.js'
import { builtinModel, languagesModel } from '../../models/registry/registry.js'
import { runInBackground } from '../../base/util/background-process.js'
import { type BackgroundTask, createBackgroundTask } from '../../base/util/background-task.js'
import type { EmbedWork } from './embed-process.js'

interface BackgroundEmbeddingsOptions {
  readonly settings: ServerSettings
  readonly logger: Logger
  /** Called when every work is embedded by a model, and was not before. A reload runs the task again, for the next. */
  readonly onReady: () => void
}

const untilThen: Readonly<Record<string, string>> = {
  [builtinModel]: '/search waits',
  [languagesModel]: 'queries in other languages than English find less',
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
  const warn = (problem: string) => logger.warn({ problem }, 'works could not be embedded')

  return createBackgroundTask(async (signal) => {
    if (!isGroupEnabled(settings, 'search')) return
    const next = await nextToEmbed(settings)
    if (next === undefined) return
    const { model, datasets } = next
    const { dataDir, modelsDir, embeddingsDir } = settings
    const work: EmbedWork = { settings: { dataDir, modelsDir, embeddingsDir }, model, datasets }
    const meanwhile = untilThen[model] ?? `/search uses ${builtinModel}`
    logger.info({ model }, `embedding the works in the background; until then ${meanwhile}`)
    const startMs = performance.now()
    if (!(await runInBackground({ file, work, onProblem: warn, signal }))) return
    // The catalogue may have changed meanwhile. A reload follows then, which runs this again.
    if ((await nextToEmbed(settings))?.model === model) return
    const ms = Math.round(performance.now() - startMs)
    logger.info({ model, ms }, 'the works are embedded; reloading')
    onReady()
  }, warn)
}

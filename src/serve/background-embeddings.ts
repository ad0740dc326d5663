/** With `--search-encoder auto`, works are embedded for the better encoder beside a server that runs already. */
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { ServerSettings } from '../config/settings.js'
import { datasetsToEmbed } from '../composition/choose-encoder.js'
import { isGroupEnabled } from '../http/route.js'
import { builtinModel, builtinTransformer as model } from '../models/registry.js'
import { runInBackground } from '../util/background-process.js'
import type { EmbedWork } from './embed-process.js'

export interface BackgroundEmbeddings {
  /** Embeds what is not embedded, or has changed. After a run under way, another one. */
  renew(): void
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>
}

interface BackgroundEmbeddingsOptions {
  readonly settings: ServerSettings
  readonly logger: Logger
  /** Called when every work is embedded, and was not before. */
  readonly onReady: () => void
}

const file = fileURLToPath(new URL('embed-process.js', import.meta.url))

/** One for all processes of a server. Does nothing where /search is not served, or has another encoder. */
export function keepEmbeddings({
  settings,
  logger,
  onReady,
}: BackgroundEmbeddingsOptions): BackgroundEmbeddings {
  const stop = new AbortController()
  let running = Promise.resolve()
  const warn = (problem: string) =>
    logger.warn({ model, problem }, `works could not be embedded; /search keeps ${builtinModel}`)

  async function run(): Promise<void> {
    if (stop.signal.aborted || !isGroupEnabled(settings, 'search')) return
    const datasets = await datasetsToEmbed(settings)
    if (datasets === undefined || datasets.length === 0) return
    const { dataDir, modelsDir, embeddingsDir } = settings
    const work: EmbedWork = { settings: { dataDir, modelsDir, embeddingsDir }, model, datasets }
    logger.info(
      { model },
      `embedding the works in the background; until then ${builtinModel} searches`,
    )
    const startMs = performance.now()
    const options = { file, work, onProblem: warn, signal: stop.signal }
    if (!(await runInBackground({ ...options, onMessage: () => undefined }))) return
    // The catalogue may have changed meanwhile: whoever changes it asks for a reload.
    if ((await datasetsToEmbed(settings))?.length !== 0) return
    logger.info(
      { model, ms: Math.round(performance.now() - startMs) },
      'the works are embedded; reloading',
    )
    onReady()
  }

  return {
    renew() {
      running = running.then(run).catch((error: unknown) => warn(String(error)))
    },
    async stop() {
      stop.abort()
      await running
    },
  }
}

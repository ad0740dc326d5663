/** A server in this process: the same as `synoptic serve` with one worker. */
import { createRateLimits } from '../server/http/limits/rate-limits.js'
import { openRateStores } from '../server/http/limits/rate-stores.js'
import { createAccess } from '../server/http/access/create-access.js'
import { requireFreePort } from '../server/http/server.js'
import { createKeyRing } from '../base/keys/key-ring.js'
import { openLog } from '../base/observability/log.js'
import { textOf } from '../server/metrics/merge.js'
import { createMetrics } from '../server/metrics/metrics.js'
import { prepareFirstStart } from '../server/serve/first-start.js'
import { keepEmbeddings } from '../server/serve/background-embeddings.js'
import { openKeySource } from '../server/serve/key-source.js'
import { start } from '../server/serve/start.js'
import { librarySettings } from './library-settings.js'
import type { SearchServer, ServerOptions } from './types.js'

const graceMs = 10_000

/** Resolves once it listens. @throws CatalogueError, ListenError, SettingsError */
export async function createServer({
  folder,
  host = '127.0.0.1',
  port = 0,
  settings: others = {},
}: ServerOptions = {}): Promise<SearchServer> {
  const settings = librarySettings(folder, { ...others, host, port })
  process.env.TOKENIZERS_PARALLELISM ??= 'false'
  const log = await openLog({ level: settings.logLevel, file: settings.logFile })
  try {
    const { logger } = log
    const keys = openKeySource(settings, logger)
    await requireFreePort(settings.host, settings.port)
    await prepareFirstStart(settings, logger)
    const metrics = createMetrics('1')
    const rates = await openRateStores(settings, logger)
    const server = await start(settings, {
      logger,
      metrics,
      metricsText: () => textOf(metrics),
      rateLimits: createRateLimits(settings, rates.stores),
      access: keys && createAccess(createKeyRing(keys.keys()), rates.stores),
    }).catch((error: unknown) => {
      rates.close()
      throw error
    })
    const embeddings = keepEmbeddings({
      settings,
      logger,
      onReady: () =>
        void server.reload().catch((err: unknown) => logger.error({ err }, 'the reload failed')),
    })
    embeddings.renew()
    const { address } = server
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return {
      url: `http://${name}:${address.port}`,
      port: address.port,
      async close() {
        await embeddings.stop()
        await server.stop({ drainMs: settings.drain * 1000, graceMs })
        rates.close()
        await log.close()
      },
    }
  } catch (error) {
    await log.close()
    throw error
  }
}

/** A worker process: it serves like a server of its own, logs to its primary and stops when that says so. */
import cluster from 'node:cluster'
import pino, { type Logger } from 'pino'
import type { ServerSettings } from '../../base/config/settings.js'
import { createAccess } from '../http/access/create-access.js'
import { createRateLimits } from '../http/limits/rate-limits.js'
import { countedWindows } from '../http/limits/rate-window.js'
import { start, type Server } from '../serve/start.js'
import { createMetrics } from '../metrics/metrics.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'
import { createWorkerMetrics } from './shared-metrics.js'
import { readSharedPort } from './shared-port.js'
import { createSharedKeys } from './shared-keys.js'
import { takesWrites } from '../serve/keep-writes.js'
import { createSharedAnalytics } from './shared-analytics.js'
import { createSharedWrites } from './shared-writes.js'
import { createSharedRateStores } from './shared-rate-stores.js'

/** Resolves with the exit status once the primary has requested the end, or has ended itself. */
export async function serveAsWorker(settings: ServerSettings, graceMs: number): Promise<number> {
  // A terminal sends these to every process; the primary decides when a worker stops or reloads.
  process.on('SIGINT', () => undefined)
  process.on('SIGHUP', () => undefined)
  // node:cluster ends a worker that loses its primary at once, unless this says that it will end by itself: requests
  // under way are answered first.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  const stopped = waitForStop()
  // Nobody waits for a worker without a primary but the next server, for the port.
  const alone = new AbortController()
  process.once('disconnect', () => alone.abort())
  const lines = pino.destination({ fd: 1, sync: false, minLength: 1 })
  const timestamp = pino.stdTimeFunctions.isoTime
  const logger = pino({ level: settings.logLevel, timestamp }, lines)
  const groups = countedWindows(settings).map(({ group }) => group)
  const { stores, receive } = createSharedRateStores(groups, send)
  process.on('message', receive)
  const metrics = createMetrics(String(cluster.worker?.id))
  const shared = createWorkerMetrics(metrics, send)
  process.on('message', shared.receive)

  const sharedKeys = createSharedKeys(send)
  process.on('message', sharedKeys.receive)

  const sharedWrites = createSharedWrites(send)
  process.on('message', sharedWrites.receive)

  const sharedAnalytics = createSharedAnalytics(send)
  process.on('message', sharedAnalytics.receive)

  process.once('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'a bug ends this worker')
    lines.flush(() => process.exit(1))
  })

  try {
    const access =
      settings.apiKeys === 'none' ? undefined : createAccess(await sharedKeys.open(), stores)
    const services = {
      access,
      logger,
      metrics,
      rateLimits: createRateLimits(settings, stores),
      metricsText: () => shared.text(),
      ...(takesWrites(settings) && { writes: sharedWrites }),
      ...(settings.analytics !== 'none' && { analytics: sharedAnalytics }),
    }
    const port = readSharedPort(process.env)
    const server =
      port === undefined
        ? await start(settings, services)
        : await start({ ...settings, port }, services, { reusePort: true })
    process.on('message', ({ kind }: PrimaryMessage) => {
      if (kind === 'reload') void reload(server)
      if (kind === 'pending') void showPending(server, logger)
    })
    send({ kind: 'ready', port: server.address.port })
    // Messages before the one above are lost.
    await showPending(server, logger)
    await stopped
    await server.stop({ drainMs: settings.drain * 1000, graceMs, hurry: alone.signal })
    return 0
  } finally {
    await new Promise<void>((resolve) => lines.flush(() => resolve()))
    // The channel to the primary would keep the process alive, one that could not start too.
    if (process.connected) process.disconnect()
  }
}

async function showPending(server: Server, logger: Logger): Promise<void> {
  await server.showPending().catch((error: unknown) => {
    logger.error({ err: error }, 'pending writes cannot be searched')
  })
}

async function reload(server: Server): Promise<void> {
  try {
    await server.reload()
    send({ kind: 'reloaded' })
  } catch (error) {
    send({ kind: 'reloaded', problem: error instanceof Error ? error.message : String(error) })
  }
}

function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    process.once('disconnect', resolve)
    process.once('SIGTERM', resolve)
    process.on('message', ({ kind }: PrimaryMessage) => {
      if (kind === 'stop') resolve()
    })
  })
}

function send(message: WorkerMessage): void {
  // A primary that has ended reads no reply; `disconnect` ends this process.
  if (process.connected) process.send?.(message)
}

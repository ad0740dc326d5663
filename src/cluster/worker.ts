/** A worker process: it serves like a server of its own, logs to its primary and stops when that says so. */
import cluster from 'node:cluster'
import pino from 'pino'
import type { ServerSettings } from '../config/settings.js'
import { createAccess } from '../http/access/create-access.js'
import { createRateLimits } from '../http/limits/rate-limits.js'
import { countedWindows } from '../http/limits/rate-window.js'
import { start, type Server } from '../serve/start.js'
import { createMetrics } from '../observability/metrics.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'
import { createWorkerMetrics } from './shared-metrics.js'
import { readSharedPort } from './shared-port.js'
import { createSharedKeys } from './shared-keys.js'
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
    }
    const port = readSharedPort(process.env)
    const server =
      port === undefined
        ? await start(settings, services)
        : await start({ ...settings, port }, services, { reusePort: true })
    process.on('message', ({ kind }: PrimaryMessage) => {
      if (kind === 'reload') void reload(server)
    })
    send({ kind: 'ready', port: server.address.port })
    server.rehearse()
    const isAsked = await stopped
    // Where the primary has died, the next one waits for the port.
    await server.stop({ drainMs: isAsked ? settings.drain * 1000 : 0, graceMs })
    return 0
  } finally {
    await new Promise<void>((resolve) => lines.flush(() => resolve()))
    // The channel to the primary would keep the process alive, one that could not start too.
    if (process.connected) process.disconnect()
  }
}

async function reload(server: Server): Promise<void> {
  try {
    await server.reload()
    send({ kind: 'reloaded' })
  } catch (error) {
    send({ kind: 'reloaded', problem: error instanceof Error ? error.message : String(error) })
  }
}

/** Resolves with whether somebody asked for the end; else the primary has died. */
function waitForStop(): Promise<boolean> {
  return new Promise((resolve) => {
    process.once('disconnect', () => resolve(false))
    process.once('SIGTERM', () => resolve(true))
    process.on('message', ({ kind }: PrimaryMessage) => {
      if (kind === 'stop') resolve(true)
    })
  })
}

function send(message: WorkerMessage): void {
  // A primary that has ended reads no reply; `disconnect` ends this process.
  if (process.connected) process.send?.(message)
}

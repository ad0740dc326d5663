/** A worker process: it serves like a server of its own, logs to its primary and stops when told. */
import cluster from 'node:cluster'
import pino from 'pino'
import type { ServerSettings } from '../config/settings.js'
import { pacedGroups } from '../http/rate-store.js'
import { start, type Server } from '../serve/start.js'
import { createMetrics } from '../observability/metrics.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'
import { createSharedBuckets } from './shared-buckets.js'
import { createWorkerMetrics } from './shared-metrics.js'

/** Resolves with the exit status once the primary has asked for the end, or is gone. */
export async function serveAsWorker(settings: ServerSettings, drainMs: number): Promise<number> {
  // What a terminal sends reaches every process of it; the primary tells when to stop or to reload.
  process.on('SIGINT', () => undefined)
  process.on('SIGHUP', () => undefined)
  // Without a primary node:cluster would end it at once, and the requests under way with it.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  const told = toldToStop()
  const lines = pino.destination({ fd: 1, sync: false, minLength: 1 })
  const timestamp = pino.stdTimeFunctions.isoTime
  const logger = pino({ level: settings.logLevel, timestamp }, lines)
  const groups = pacedGroups(settings.rateLimit).map(([group]) => group)
  const { stores, receive } = createSharedBuckets(groups, send)
  process.on('message', receive)
  const metrics = createMetrics(String(cluster.worker?.id))
  const shared = createWorkerMetrics(metrics, send)
  process.on('message', shared.receive)

  process.once('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'a bug ends this worker')
    lines.flush(() => process.exit(1))
  })

  try {
    const server = await start(settings, {
      logger,
      metrics,
      rateStores: stores,
      metricsText: () => shared.text(),
    })
    process.on('message', ({ kind }: PrimaryMessage) => {
      if (kind === 'reload') void reload(server)
    })
    send({ kind: 'ready', port: server.address.port })
    await told
    await server.stop(drainMs)
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

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    process.once('disconnect', resolve)
    process.once('SIGTERM', resolve)
    process.on('message', ({ kind }: PrimaryMessage) => {
      if (kind === 'stop') resolve()
    })
  })
}

function send(message: WorkerMessage): void {
  // A primary that is gone needs no answer; `disconnect` ends this process.
  if (process.connected) process.send?.(message)
}

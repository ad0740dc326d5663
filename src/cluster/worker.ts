/** A worker process: it serves like a server of its own, logs to its primary and stops when told. */
import pino from 'pino'
import type { ServerSettings } from '../config.js'
import { start } from '../main.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'
import { createSharedBuckets } from './shared-buckets.js'

/** Resolves with the exit status once the primary has asked for the end, or is gone. */
export async function serveAsWorker(settings: ServerSettings, drainMs: number): Promise<number> {
  // Ctrl-C reaches every process of the terminal; the primary tells when to stop.
  process.on('SIGINT', () => undefined)
  const told = toldToStop()
  const lines = pino.destination({ fd: 1, sync: false, minLength: 1 })
  const timestamp = pino.stdTimeFunctions.isoTime
  const logger = pino({ level: settings.logLevel, timestamp }, lines)
  const { store, receive } = createSharedBuckets(send)
  process.on('message', receive)

  process.once('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'a bug ends this worker')
    lines.flush(() => process.exit(1))
  })

  const server = await start(settings, { logger, rateStore: store })
  send({ kind: 'ready', port: server.address.port })
  await told
  await server.stop(drainMs)
  await new Promise<void>((resolve) => lines.flush(() => resolve()))
  // The channel to the primary would keep the process alive.
  if (process.connected) process.disconnect()
  return 0
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

/** Looks in the background for what nobody has used for a while, and gives its memory back. */
import type { Logger } from 'pino'
import { returnFreeMemory } from '../../native/addon/index.js'

export interface IdleWatchOptions {
  /** Seconds; 0 keeps everything. */
  readonly idleTimeout: number
  /** Releases what was not used for that long. Returns descriptions of it. */
  readonly closeIdle: (idleMs: number) => readonly string[]
  readonly logger: Logger
}

/** Polls four times within the time, and at least once a minute. Returns a function that stops it. */
export function watchIdle({ idleTimeout, closeIdle, logger }: IdleWatchOptions): () => void {
  if (idleTimeout === 0) return () => undefined
  const idleMs = idleTimeout * 1000

  function look(): void {
    const released = closeIdle(idleMs)
    if (released.length === 0) return
    returnFreeMemory()
    logger.info({ released }, 'released what was idle')
  }

  const timer = setInterval(look, Math.min(idleMs / 4, 60_000)).unref()
  return () => clearInterval(timer)
}

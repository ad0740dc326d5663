/** The CUDA device of a serving process: set up at start, watched while it serves. */
import cluster from 'node:cluster'
import type { Logger } from 'pino'
import type { ServerSettings } from '../config/settings.js'
import { configureGpu, gpuStats, nativeInfo, releaseIdleGpu } from '../native/index.js'

export interface Gpu {
  /** Frees device memory that nobody has used within that time. */
  closeIdle(idleMs: number): readonly string[]
  stop(): void
}

/** A fault that lasts is logged this often, with how many searches it cost, not once a search. */
const pollIntervalMs = 5000

/** Of the workers, or the only process. */
const isFirst = (cluster.worker?.id ?? 1) === 1

/** A device that cannot be had is no error: the processor answers. */
export function useGpu(
  { gpuMemoryLimit, workers }: Pick<ServerSettings, 'gpuMemoryLimit' | 'workers'>,
  logger: Logger,
): Gpu {
  try {
    configureGpu(gpuMemoryLimit, workers)
  } catch (error) {
    logger.warn({ err: error }, 'The CUDA device cannot be used; the processor answers.')
  }
  const stats = gpuStats()
  if (stats === undefined) {
    const { available, reason } = nativeInfo().cuda
    // Once a server, not once a worker; a device that was refused has been told of.
    if (!available && isFirst) logger.info({ reason }, 'no CUDA device: the processor answers')
    return { closeIdle: () => [], stop: () => undefined }
  }
  const { device, limitBytes, blasReason } = stats
  logger.info({ device, limitBytes }, 'a CUDA device answers large searches')
  if (blasReason !== '') logger.warn({ reason: blasReason }, 'batches are not multiplied by cuBLAS')
  const poll = createWatch(logger)
  const watch = setInterval(poll, pollIntervalMs).unref()
  return {
    closeIdle(idleMs) {
      const layouts = releaseIdleGpu(idleMs)
      return layouts === 0 ? [] : [`${layouts} forms of columns on ${device}`]
    },
    stop() {
      clearInterval(watch)
      poll()
    },
  }
}

/** Warns of searches that fell back to the processor since it looked last, and once of a lost device. */
function createWatch(logger: Logger): () => void {
  let reported = 0
  let reportedLost = ''
  return () => {
    const { device, fallbacks = {}, lastFallback: reason, lost = '' } = gpuStats() ?? {}
    if (lost !== reportedLost) {
      logger.error({ device, reason: lost }, 'the CUDA device is lost: it is asked no more')
      reportedLost = lost
    }
    const all = Object.values(fallbacks).reduce((sum, count) => sum + count, 0)
    if (all === reported) return
    logger.warn(
      { device, searches: all - reported, reason },
      'the processor answered for the device',
    )
    reported = all
  }
}

/** The GPU of a server process: configured at the start, checked while the process serves. */
import cluster from 'node:cluster'
import type { Logger } from 'pino'
import type { ServerSettings } from '../../base/config/settings.js'
import { loadCudaLibraries } from '../../models/encoders/cuda-libraries.js'
import { configureGpu, gpuStats, nativeInfo, releaseIdleGpu } from '../../native/addon/index.js'

export interface Gpu {
  /** Frees device memory that was not used for that long. */
  closeIdle(idleMs: number): readonly string[]
  stop(): void
}

/** A lasting fault is logged this often, with the number of searches it affected. */
const pollIntervalMs = 5000

const none = { kind: 'bytes', value: 0 } as const

/** Whether this is the first worker, or the only process. */
const isFirst = (cluster.worker?.id ?? 1) === 1

/** A GPU that cannot be used is not an error: searches then run on the CPU. */
export function useGpu(
  {
    gpuMemoryLimit,
    workers,
    device: requested,
  }: Pick<ServerSettings, 'device' | 'gpuMemoryLimit' | 'workers'>,
  logger: Logger,
): Gpu {
  try {
    const limit = requested === 'cpu' && gpuMemoryLimit.kind === 'auto' ? none : gpuMemoryLimit
    if (limit.kind !== 'bytes' || limit.value > 0) loadCudaLibraries()
    // Of any other setting for the models the first device.
    configureGpu(limit, workers, Number(/^cuda:(\d+)$/.exec(requested)?.[1] ?? 0))
  } catch (error) {
    logger.warn({ err: error }, 'The GPU cannot be used; using the CPU.')
  }
  const stats = gpuStats()
  if (stats === undefined) {
    const { available, reason } = nativeInfo().cuda
    // One worker logs it for all. A device that could not be configured was logged above.
    if (!available && isFirst) {
      logger.info('No GPU found; using the CPU.')
      logger.debug({ reason }, 'why searches do not use a GPU')
    }
    return { closeIdle: () => [], stop: () => undefined }
  }
  const { device, limitBytes, blasReason } = stats
  logger.info({ device, limitBytes }, 'using a GPU for large searches')
  if (blasReason !== '')
    logger.warn({ reason: blasReason }, 'cuBLAS cannot be used; batches are slower')
  const poll = createWatch(logger)
  const watch = setInterval(poll, pollIntervalMs).unref()
  return {
    closeIdle(idleMs) {
      const layouts = releaseIdleGpu(idleMs)
      return layouts === 0 ? [] : [`${layouts} column layouts on ${device}`]
    },
    stop() {
      clearInterval(watch)
      poll()
    },
  }
}

/** Warns of searches that fell back to the CPU since the last poll, and once of a lost device. */
function createWatch(logger: Logger): () => void {
  let reported = 0
  let reportedLost = ''
  return () => {
    const { device, fallbacks = {}, lastFallback: reason, lost = '' } = gpuStats() ?? {}
    if (lost !== reportedLost) {
      logger.error({ device, reason: lost }, 'the GPU is lost; using the CPU from now on')
      reportedLost = lost
    }
    const all = Object.values(fallbacks).reduce((sum, count) => sum + count, 0)
    if (all === reported) return
    logger.warn({ device, searches: all - reported, reason }, 'searches fell back to the CPU')
    reported = all
  }
}

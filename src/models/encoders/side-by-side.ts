/**
 * Several workers with one model, for bulk work. Threads that share a batch wait for each other in every
 * step of the network, and read what another processor has written; workers with a batch each do not,
 * so that a text takes less processor time, and most where there are many processors.
 */
import type { MetricsSink } from '../../base/observability/metrics-sink.js'
import { modelBytes, modelMemoryLimit } from '../registry/model-memory.js'
import { readPipeline } from '../format/pipeline.js'
import type { WorkerStart } from './protocol.js'
import { shareTexts } from './share-texts.js'
import { type WorkerEncoder, openWorkerEncoder } from './worker-encoder.js'

/** More would gain little, and every one has the whole model in memory. */
const maxWorkers = 8

/**
 * How many workers suit a model: as many as there are threads, within the memory; by default half of the
 * machine's. A static model has next to nothing to share.
 */
export async function countWorkers(
  { folder, threads, device }: WorkerStart,
  memory = modelMemoryLimit(0, 1),
): Promise<number> {
  if (device !== undefined && device !== 'cpu') return 1
  // What is wrong with the files shows when they are loaded.
  const pipeline = await readPipeline(folder).catch(() => undefined)
  if (pipeline?.kind !== 'transformer') return 1
  const room = Math.floor(memory / (await modelBytes(folder, 'encoder')))
  return Math.max(1, Math.min(threads, maxWorkers, room))
}

/** Rejects as `openWorkerEncoder` does. @param start its threads are shared out among the workers */
export async function openSideBySide(
  start: WorkerStart,
  workers: number,
  metrics?: Pick<MetricsSink, 'batch'>,
): Promise<WorkerEncoder> {
  const threads = Math.max(1, Math.floor(start.threads / workers))
  const opening = Array.from({ length: workers }, () =>
    openWorkerEncoder({ ...start, threads }, metrics),
  )
  const [first, ...others] = await allOrNone(opening)
  if (first === undefined) throw new RangeError(`expected at least one worker, got ${workers}`)
  return shareTexts([first, ...others])
}

async function allOrNone(opening: readonly Promise<WorkerEncoder>[]): Promise<WorkerEncoder[]> {
  const settled = await Promise.allSettled(opening)
  const opened = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed === undefined) return opened
  await Promise.all(opened.map((encoder) => encoder.close()))
  throw failed.reason as Error
}

/**
 * The workers of a model that is served. A text that comes alone is encoded by one worker with all threads,
 * which has it soonest. Texts that come together are shared out among workers side by side, which
 * take less processor time a text and leave no processor idle between two steps of the network.
 */
import { modelBytes } from '../registry/model-memory.js'
import type { MetricsSink } from '../../base/observability/metrics-sink.js'
import type { WorkerStart } from './protocol.js'
import { countWorkers, openSideBySide } from './side-by-side.js'
import { type WorkerEncoder, openWorkerEncoder } from './worker-encoder.js'

/** Share of the memory for all models that one may take: others have to fit too. */
const memoryShare = 1 / 4

export interface ServedPlan {
  /** Side by side, in addition to the one with all threads; 0 where nothing is gained or memory is short. */
  readonly sideBySide: number
  /** What all of them count with against the limit. */
  readonly bytes: number
}

/** @param memoryLimit bytes of all models */
export async function planServed(start: WorkerStart, memoryLimit: number): Promise<ServedPlan> {
  const bytes = await modelBytes(start.folder, 'encoder')
  const workers = await countWorkers(start, memoryLimit * memoryShare - bytes)
  const sideBySide = workers > 1 ? workers : 0
  return { sideBySide, bytes: bytes * (1 + sideBySide) }
}

/**
 * The workers side by side are started by the first texts that come together, and have the texts that come
 * after; where they cannot start, the first worker goes on alone. Rejects as `openWorkerEncoder` does.
 */
export async function openServed(
  start: WorkerStart,
  sideBySide: number,
  metrics?: Pick<MetricsSink, 'batch'>,
): Promise<WorkerEncoder> {
  const alone = await openWorkerEncoder(start, metrics)
  let together: WorkerEncoder | undefined
  let joining: Promise<void> | undefined
  let isClosed = false
  let underWay = 0

  async function join(): Promise<void> {
    const joined = await openSideBySide(start, sideBySide, metrics)
    // Files that were replaced meanwhile would give other vectors.
    if (isClosed || joined.revision !== alone.revision) await joined.close()
    else together = joined
  }

  return {
    ...alone,
    async encode(texts, options) {
      const isAlone = texts.length + underWay <= 1
      if (!isAlone) joining ??= join().catch(() => undefined)
      const worker = isAlone ? alone : (together ?? alone)
      underWay += texts.length
      try {
        return await worker.encode(texts, options)
      } finally {
        underWay -= texts.length
      }
    },
    async idle() {
      await Promise.all([alone.idle(), together?.idle()])
    },
    async close() {
      isClosed = true
      await Promise.all([alone.close(), together?.close(), joining])
    },
  }
}

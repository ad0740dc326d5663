/**
 * Several workers with one model, for bulk work. Threads that share a batch wait for each other in every
 * step of the network, and read what another processor has written; workers with a batch each do not,
 * so that a text takes less processor time, and most where there are many processors.
 */
import type { MetricsSink } from '../observability/metrics-sink.js'
import { modelBytes, modelMemoryLimit } from '../models/model-memory.js'
import { readPipeline } from '../model-format/pipeline.js'
import { EncoderError } from '../errors/encoder-error.js'
import type { WorkerStart } from './protocol.js'
import { checkTexts } from './check-texts.js'
import { type WorkerEncoder, type WorkerEncoding, openWorkerEncoder } from './worker-encoder.js'

/** More would gain little, and every one has the whole model in memory. */
const maxWorkers = 8

/**
 * How many workers suit a model: as many as there are threads, within half of the machine's memory. A
 * static model has next to nothing to share.
 */
export async function countWorkers({ folder, threads, device }: WorkerStart): Promise<number> {
  if (device !== undefined && device !== 'cpu') return 1
  // What is wrong with the files shows when they are loaded.
  const pipeline = await readPipeline(folder).catch(() => undefined)
  if (pipeline?.kind !== 'transformer') return 1
  const room = Math.floor(modelMemoryLimit(0, 1) / (await modelBytes(folder, 'encoder')))
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
  const encoders = await allOrNone(opening)
  const [first] = encoders
  if (first === undefined) throw new RangeError(`expected at least one worker, got ${workers}`)
  const { dimension } = first
  let turn = 0

  return {
    ...first,
    async encode(texts, options) {
      checkTexts(texts)
      // In turns, because neighbours are often of a length; a single text goes to another each time.
      const begin = (turn += 1)
      const workerOf = (text: number) => (begin + text) % encoders.length
      const parts = encoders.map((_, worker) =>
        [...texts.keys()].filter((text) => workerOf(text) === worker),
      )
      const outcomes = await Promise.allSettled(
        encoders.map((encoder, worker) =>
          encoder.encode(
            (parts[worker] ?? []).map((text) => texts[text] ?? ''),
            options,
          ),
        ),
      )
      const encodings = allEncodings(outcomes, parts)
      return merge(encodings, texts.length, workerOf, dimension)
    },
    async idle() {
      await Promise.all(encoders.map((encoder) => encoder.idle()))
    },
    async close() {
      await Promise.all(encoders.map((encoder) => encoder.close()))
    },
  }
}

/**
 * Throws what a worker rejected with. An error that names texts names those of all workers, by their
 * positions in the whole request.
 */
function allEncodings(
  outcomes: readonly PromiseSettledResult<WorkerEncoding>[],
  parts: readonly (readonly number[])[],
): WorkerEncoding[] {
  const texts = outcomes.flatMap((outcome, worker) => {
    if (outcome.status === 'fulfilled') return []
    const error: unknown = outcome.reason
    if (!(error instanceof EncoderError) || error.texts.length === 0) throw error
    return error.texts.map((text) => parts[worker]?.[text] ?? 0)
  })
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value
    const { model, reason, detail } = outcome.reason as EncoderError
    throw new EncoderError(model, reason, detail, {
      texts: texts.toSorted((a, b) => a - b),
      cause: outcome.reason,
    })
  })
}

async function allOrNone(opening: readonly Promise<WorkerEncoder>[]): Promise<WorkerEncoder[]> {
  const settled = await Promise.allSettled(opening)
  const opened = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed === undefined) return opened
  await Promise.all(opened.map((encoder) => encoder.close()))
  throw failed.reason as Error
}

/** @param workerOf which encoding has a text; those of one are in their order */
function merge(
  encodings: readonly WorkerEncoding[],
  count: number,
  workerOf: (text: number) => number,
  dimension: number,
): WorkerEncoding {
  const vectors = new Float32Array(count * dimension)
  const tokens = new Uint32Array(count)
  encodings.forEach((part, worker) => {
    let row = 0
    for (let text = 0; text < count; text++) {
      if (workerOf(text) !== worker) continue
      vectors.set(part.vectors.subarray(row * dimension, (row + 1) * dimension), text * dimension)
      tokens[text] = part.tokens[row] ?? 0
      row += 1
    }
  })
  const sum = (key: 'truncated' | 'queriesTruncated') =>
    encodings.reduce((total, part) => total + part[key], 0)
  const max = (key: keyof WorkerEncoding['timings']) =>
    Math.max(...encodings.map(({ timings }) => timings[key]))
  return {
    vectors,
    tokens,
    truncated: sum('truncated'),
    queriesTruncated: sum('queriesTruncated'),
    timings: {
      queueMs: max('queueMs'),
      tokenizeMs: max('tokenizeMs'),
      inferMs: max('inferMs'),
    },
  }
}

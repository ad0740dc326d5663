/**
 * Several workers with one model as one encoder: each text goes to the worker that has the fewest under way,
 * so the texts of one request are spread over all of them, and so are those of many requests.
 */
import { EncoderError } from '../../base/errors/index.js'
import { checkTexts } from './check-texts.js'
import type { WorkerEncoder, WorkerEncoding } from './worker-encoder.js'

export function shareTexts(workers: readonly [WorkerEncoder, ...WorkerEncoder[]]): WorkerEncoder {
  const [first] = workers
  /** Texts under way, by worker. */
  const underWay = workers.map(() => 0)
  const textsOf = (worker: number) => underWay[worker] ?? 0

  function assign(): number {
    const least = underWay.indexOf(Math.min(...underWay))
    underWay[least] = textsOf(least) + 1
    return least
  }

  return {
    ...first,
    async encode(texts, options) {
      checkTexts(texts)
      // In turns where all have as much to do, because neighbours are often of a length.
      const workerOf = texts.map(assign)
      try {
        const used = [...new Set(workerOf)]
        if (used.length < 2) return await (workers[used[0] ?? 0] ?? first).encode(texts, options)
        const parts = used.map((worker) =>
          [...texts.keys()].filter((text) => workerOf[text] === worker),
        )
        const outcomes = await Promise.allSettled(
          used.map((worker, part) =>
            (workers[worker] ?? first).encode(
              (parts[part] ?? []).map((text) => texts[text] ?? ''),
              options,
            ),
          ),
        )
        return merge(allEncodings(outcomes, parts), parts, first.dimension)
      } finally {
        for (const worker of workerOf) underWay[worker] = textsOf(worker) - 1
      }
    },
    async idle() {
      await Promise.all(workers.map((encoder) => encoder.idle()))
    },
    async close() {
      await Promise.all(workers.map((encoder) => encoder.close()))
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
  const texts = outcomes.flatMap((outcome, part) => {
    if (outcome.status === 'fulfilled') return []
    const error: unknown = outcome.reason
    if (!(error instanceof EncoderError) || error.texts.length === 0) throw error
    return error.texts.map((text) => parts[part]?.[text] ?? 0)
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

/** @param parts positions of the texts of each encoding */
function merge(
  encodings: readonly WorkerEncoding[],
  parts: readonly (readonly number[])[],
  dimension: number,
): WorkerEncoding {
  const count = parts.reduce((sum, texts) => sum + texts.length, 0)
  const vectors = new Float32Array(count * dimension)
  const tokens = new Uint32Array(count)
  encodings.forEach((part, position) => {
    for (const [row, text] of parts[position]?.entries() ?? []) {
      vectors.set(part.vectors.subarray(row * dimension, (row + 1) * dimension), text * dimension)
      tokens[text] = part.tokens[row] ?? 0
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

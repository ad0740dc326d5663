/** The ranker that ships: a logistic over the evidence of cosine, bm25 and maxsim, and a prior on popularity. */
import type { BlendWeights } from './blend.js'
import type { Evidence, GatherEvidence } from './evidence.js'
import type { Ranker } from './ranker.js'

export const builtinRanker = 'builtin/maxsim-en'

/**
 * Rows whose evidence is gathered at once. Between two slices others have their turn, and a client that
 * left is noticed: 16,384 rows take some 20 ms and hold the event loop for 1.5 at a time.
 */
const sliceRows = 16_384

export interface Weights extends BlendWeights {
  /** The setting --popularity. */
  readonly popularity: number
}

export function createBuiltinRanker(gather: GatherEvidence, weights: Weights): Ranker {
  return {
    device: 'cpu',
    async rank({ rows, ...request }) {
      const merits = new Float32Array(rows.length)
      const columns = new Uint16Array(rows.length)
      for (let begin = 0; begin < rows.length; begin += sliceRows) {
        const slice = rows.subarray(begin, begin + sliceRows)
        const evidence = await gather({ ...request, rows: slice })
        merits.set(logits(evidence, weights), begin)
        columns.set(evidence.columns, begin)
      }
      return { merits, scoreOf: logistic, columns, warnings: [] }
    },
  }
}

/** The evidence of each row, weighed; not yet a score, because scores near 1 cannot be told apart. */
export function logits(evidence: Evidence, weights: Weights): Float32Array {
  const { cosine, bm25, maxsim, popularity } = evidence
  return cosine.map(
    (value, row) =>
      weights.bias +
      weights.cosine * value +
      weights.bm25 * (bm25[row] ?? 0) +
      weights.maxsim * (maxsim[row] ?? 0) +
      weights.popularity * (popularity[row] ?? 0),
  )
}

const logistic = (logit: number): number => 1 / (1 + Math.exp(-logit))

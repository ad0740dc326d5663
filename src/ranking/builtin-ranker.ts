/** The ranker that ships: a logistic over the evidence of cosine, bm25 and maxsim. */
import type { BlendWeights } from './blend.js'
import type { Evidence, GatherEvidence } from './evidence.js'
import type { Ranker } from './ranker.js'

export const builtinRanker = 'builtin/maxsim-en'

export function createBuiltinRanker(gather: GatherEvidence, weights: BlendWeights): Ranker {
  return {
    device: 'cpu',
    async rank({ dataset, query, rows, signal }) {
      const evidence = await gather({ dataset, query, rows, signal })
      const { columns } = evidence
      return { merits: logits(evidence, weights), scoreOf: logistic, columns, warnings: [] }
    },
  }
}

/** The evidence of each row, weighed; not yet a score, because scores near 1 cannot be told apart. */
export function logits({ cosine, bm25, maxsim }: Evidence, weights: BlendWeights): Float32Array {
  return cosine.map(
    (value, row) =>
      weights.bias +
      weights.cosine * value +
      weights.bm25 * (bm25[row] ?? 0) +
      weights.maxsim * (maxsim[row] ?? 0),
  )
}

const logistic = (logit: number): number => 1 / (1 + Math.exp(-logit))

/** When nothing fits well: the work in question is missing, or no text has what is remembered of it. */
import { topRows } from '../../native/addon/top-rows.js'
import type { QueryFit } from '../knowledge/query-fit.js'

/** A logistic model, which tools/fit-ranker/fit_nothing.py fits. */
export interface NothingFitsWeights {
  readonly bias: number
  /** Of the best score, in logits. */
  readonly best: number
  /** Of what the best score has more than the mean of those that follow. */
  readonly ahead: number
  /** Of the share of the query that was read. */
  readonly explained: number
  /** Of the logarithm of how many words the text has. */
  readonly words: number
  /** Nothing fits well from this probability on. */
  readonly from: number
  /** A query that is read to this share names facts, and some work always has them. */
  readonly mostExplained: number
}

/** The best work is compared with so many that follow. */
const followers = 9

/**
 * @param scores of the ranked works, in logits
 * @param query the text that was compared
 */
export function nothingFits(
  scores: Float32Array,
  query: string,
  fit: QueryFit | undefined,
  weights: NothingFitsWeights,
): boolean {
  const { explained = 0, hasReferences = false } = fit ?? {}
  // Some works are always like those that the query names.
  if (hasReferences || explained >= weights.mostExplained) return false
  const [best, ...next] = Array.from(
    topRows(scores, followers + 1, -Infinity, undefined),
    (at) => scores[at] ?? 0,
  )
  if (best === undefined || next.length === 0) return false
  const mean = next.reduce((sum, score) => sum + score, 0) / next.length
  const logit =
    weights.bias +
    weights.best * best +
    weights.ahead * (best - mean) +
    weights.explained * explained +
    weights.words * Math.log(query.split(/\s+/).length)
  return 1 / (1 + Math.exp(-logit)) >= weights.from
}

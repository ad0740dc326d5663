/** Weighs what is read from a query, in the score of the built-in ranker. */
import { constants } from '../../base/constants/constants.js'
import type { QueryFit } from '../knowledge/query-fit.js'
import { inSeriesOrder, type SeriesWeights } from './series-order.js'

/** What a work gains, in logits; `tools/fit-ranker` says how they were chosen. */
export interface FitWeights extends SeriesWeights {
  /** The whole query is a title. */
  readonly title: number
  /** All requested facts are fulfilled, in a query that says nothing else. */
  readonly fulfilled: number
  /** The same, in a query that also names a work. */
  readonly fulfilledBeside: number
  /** The work is like the one that is named. */
  readonly similar: number
  /** What is excluded is there. */
  readonly broken: number
  /** For each e-fold of popularity, by the share that the text has lost. */
  readonly popularity: number
  /** A sequel, a film or a side story, by the same share. */
  readonly notMain: number
  /** The share of the text's logits that is left in a query that its facts explain wholly. */
  readonly minTextShare: number
}

/** The share of the text's logits, 0 to 1; no text where works are named. */
function textShareOf(
  { hasText, hasReferences, explained }: QueryFit,
  { minTextShare }: FitWeights,
): number {
  if (!hasText || hasReferences) return 0
  return 1 - (1 - minTextShare) * explained ** constants().fit.textPower
}

/**
 * @param scores of the rows by their texts, which are returned as they are without a fit
 * @param popularity above the average, of the rows
 */
export function withFit(
  scores: Float32Array,
  popularity: Float32Array,
  rows: Uint32Array,
  fit: QueryFit | undefined,
  weights: FitWeights,
): Float32Array {
  if (fit === undefined) return scores
  const { explainedPower, evenFulfilled, powerWithWork, titlePower } = constants().fit
  const textShare = textShareOf(fit, weights)
  // A remembered scene is from one work, known or not; a request is met better by known and main works.
  const known = 1 - textShare
  const notMain = known * weights.notMain
  // How well known a work is counts in its likeness already.
  const popularityWeight = fit.hasReferences ? 0 : known * weights.popularity
  const requestWeight = fit.hasReferences
    ? weights.fulfilledBeside
    : weights.fulfilled * fit.explained ** explainedPower
  const hasRequests = fit.requests.length > 0 && !fit.hasReferences
  const prior = hasRequests ? (1 - textShare) * weights.fulfilled * evenFulfilled : 0
  const byText = textShare === 0 ? scores : inSeriesOrder(scores, rows, fit, weights)
  return byText.map((score, position) => {
    const row = rows[position] ?? 0
    // What a query does not want gains nothing by what it requests.
    const requested =
      (fit.requestScores[position] ?? 0) * (1 - (fit.exclusionScores[position] ?? 0))
    return (
      score * textShare -
      prior +
      popularityWeight * (popularity[position] ?? 0) +
      (fit.isMain[row] === 1 ? 0 : notMain) +
      weights.title * (fit.titleScores[position] ?? 0) ** titlePower +
      requestWeight * (fit.hasReferences ? requested ** powerWithWork : requested) +
      weights.similar * (fit.likenessScores[position] ?? 0) +
      weights.broken * (fit.exclusionScores[position] ?? 0)
    )
  })
}

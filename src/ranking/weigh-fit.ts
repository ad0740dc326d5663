/** What a query says beside its text, in the score of the built-in ranker. */
import type { QueryFit } from '../knowledge/query-fit.js'

/**
 * In logits: what a work gains that fits wholly. Chosen by coordinate ascent over 901 queries of thirteen kinds, as the
 * middle of what both halves of them prefer.
 */
const weights = {
  /** The whole query is a title. */
  title: 16,
  /** All wished facts are fulfilled, in a query that says nothing else. */
  fulfilled: 12,
  /** The work is like the one that is named. */
  similar: 10,
  /** What is excluded is there. */
  broken: -8,
  /** For each e-fold of popularity, instead of what the text's share lacks. */
  popularity: 0.3,
  /** A sequel, a film or a side story, in place of what the text's share lacks, and beside its texts. */
  notMain: -0.75,
  notMainByText: -0.3,
} as const

/** Facts weigh by the share of the query that they explain, raised to this power. */
const explainedPower = 0.75

/** A title that is nearly the query counts for much less than one that is: a typo in ten letters has 0.9. */
const titlePower = 4

/** The share of the text's logits that is left in a query that its facts explain wholly. */
const minTextShare = 0.25

/** What `but darker` counts beside the work that is named. */
const besideReferences = 0.1

/** What the text's logits count beside the fit, 0 to 1. */
function textShareOf({ hasText, hasReferences, explained }: QueryFit): number {
  if (!hasText) return 0
  return hasReferences ? besideReferences : 1 - (1 - minTextShare) * explained
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
): Float32Array {
  if (fit === undefined) return scores
  const textShare = textShareOf(fit)
  const notMain = (1 - textShare) * weights.notMain + textShare * weights.notMainByText
  return scores.map((score, position) => {
    const row = rows[position] ?? 0
    return (
      score * textShare +
      (1 - textShare) * weights.popularity * (popularity[position] ?? 0) +
      (fit.isMain[row] === 1 ? 0 : notMain) +
      weights.title * (fit.title[row] ?? 0) ** titlePower +
      weights.fulfilled * fit.explained ** explainedPower * (fit.fulfilled[row] ?? 0) +
      weights.similar * (fit.similar[row] ?? 0) +
      weights.broken * (fit.broken[row] ?? 0)
    )
  })
}

/** How far works suit somebody's taste, in the scores of a ranker. */
import { constants } from '../../base/constants/constants.js'
import { logistic } from './builtin-ranker.js'
import type { RankedRows } from './ranker.js'

/** Probabilities nearer to 0 and 1 are as far apart as these. */
const nearest = 1e-4

/**
 * @param taste of every row of the dataset
 * @param rows that the ranker scored
 */
export function withTaste(ranked: RankedRows, taste: Float32Array, rows: Uint32Array): RankedRows {
  const { scores, toProbability, columns, warnings } = ranked
  const { taste: most } = constants().fit
  const logits = scores.map((score, position) => {
    const probability = Math.min(1 - nearest, Math.max(nearest, toProbability(score)))
    const suits = (taste[rows[position] ?? 0] ?? 0) - 0.5
    return Math.log(probability / (1 - probability)) + most * suits
  })
  return { columns, warnings, scores: logits, textScores: logits, toProbability: logistic }
}

/** The order by taste alone, where there is no text that a ranker reads. Half of the most suits one as likely as not. */
export function byTaste(taste: Float32Array, rows: Uint32Array): RankedRows {
  const { tasteAlone } = constants().fit
  const scores = Float32Array.from(rows, (row) => tasteAlone * ((taste[row] ?? 0) - 0.5))
  return {
    scores,
    textScores: scores,
    toProbability: logistic,
    // No text matches, so each result shows its synopsis.
    columns: new Uint16Array(rows.length),
    warnings: [],
  }
}

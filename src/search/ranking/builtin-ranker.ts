/** The ranker that ships: a logistic model over cosine, bm25 and maxsim, with a prior on popularity. */
import type { LanguageWeights, RankerWeights } from './ranker-config.js'
import type { ComputeFeatures, Features } from './features.js'
import type { Ranker } from './ranker.js'
import { nothingFits, type NothingFitsWeights } from './nothing-fits.js'
import { type FitWeights, withFit } from './weigh-fit.js'

export const builtinRanker = 'builtin/maxsim-en'

/**
 * Rows whose features are computed at once. Between two slices the event loop runs other work and notices
 * clients that left: 16,384 rows take some 20 ms and hold the event loop for 1.5 ms at a time.
 */
const sliceRows = 16_384

export interface FeatureWeights extends RankerWeights {
  /** The setting --popularity. */
  readonly popularity: number
  /** The weights of what is not text. */
  readonly fit: FitWeights
  readonly nothingFits: NothingFitsWeights
}

/** What takes the place of features and weights for queries in other languages. */
export interface OtherFeatures {
  readonly computeFeatures: ComputeFeatures
  readonly weights: LanguageWeights
}

export function createBuiltinRanker(
  englishFeatures: ComputeFeatures,
  englishWeights: FeatureWeights,
  other?: OtherFeatures,
): Ranker {
  const otherWeights = {
    ...englishWeights,
    ...other?.weights,
    popularity: englishWeights.popularity * (other?.weights.popularity ?? 1),
  }
  return {
    device: 'cpu',
    async rank({ rows, bm25, fit, isOther = false, ...request }) {
      const [computeFeatures, weights] =
        isOther && other ? [other.computeFeatures, otherWeights] : [englishFeatures, englishWeights]
      const textScores = new Float32Array(rows.length)
      const popularity = new Float32Array(rows.length)
      const columns = new Uint16Array(rows.length)
      for (let begin = 0; begin < rows.length; begin += sliceRows) {
        const end = begin + sliceRows
        const features = await computeFeatures({
          ...request,
          rows: rows.subarray(begin, end),
          bm25: bm25?.subarray(begin, end),
        })
        textScores.set(logits(features, weights), begin)
        popularity.set(features.popularity, begin)
        columns.set(features.columns, begin)
      }
      const scores = withFit(textScores, popularity, rows, fit, weights.fit)
      return {
        scores,
        textScores,
        toProbability: logistic,
        columns,
        nothingFits: !isOther && nothingFits(scores, request.query, fit, weights.nothingFits),
        warnings: [],
      }
    },
  }
}

/** The weighted sum of each row's features. Rows are ordered by it: probabilities near 1 are too close. */
export function logits(
  features: Omit<Features, 'columns'>,
  weights: Omit<FeatureWeights, 'fit' | 'nothingFits'>,
): Float32Array {
  const { cosine, bm25, maxsim, popularity } = features
  return cosine.map(
    (value, row) =>
      weights.bias +
      weights.cosine * value +
      weights.bm25 * (bm25[row] ?? 0) +
      weights.maxsim * (maxsim[row] ?? 0) +
      weights.popularity * (popularity[row] ?? 0),
  )
}

export const logistic = (logit: number): number => 1 / (1 + Math.exp(-logit))

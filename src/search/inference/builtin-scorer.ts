/**
 * The built-in ranker over texts of a caller: the cosine of the vectors and maxsim, with the weights of
 * /search. Features of works other than their texts (bm25 among all works, popularity) are left out, so
 * the score of a text does not depend on the other texts.
 */
import { distinctTokens } from '../../data/embed/token-lists.js'
import { findTokenTable } from '../../data/embed/token-table.js'
import { ModelLoadError } from '../../base/errors/index.js'
import type { ResolvedModel } from '../../models/registry/registry.js'
import { type TextScorer, openTextScorer } from '../../native/addon/max-sim.js'
import { type FeatureWeights, builtinRanker, logistic, logits } from '../ranking/builtin-ranker.js'
import type { RankerConfig } from '../ranking/ranker-config.js'
import type { ResourceCache } from '../../models/residency/resource-cache.js'
import type { Models } from '../../models/residency/resident-encoders.js'
import { allSettledOrThrow } from '../../base/util/all-settled-or-throw.js'
import { cosine } from '../../base/util/cosine.js'
import { embedTexts } from './embed-texts.js'
import type { Scored } from './inference.js'

export interface BuiltinScorerOptions {
  readonly cache: ResourceCache
  readonly models: Pick<Models, 'use'>
  /** The model whose vectors are compared (--search-encoder). */
  readonly encoder: string
  readonly rankerConfig: Pick<RankerConfig, 'exponent' | 'fullCosine'>
  /** The model whose token vectors are compared. */
  readonly tokens: ResolvedModel
  readonly weights: FeatureWeights
}

/** Rejects with the errors of models. */
export type ScoreTexts = (
  query: string,
  texts: readonly string[],
  signal: AbortSignal | undefined,
) => Promise<Scored>

export function createBuiltinScorer(options: BuiltinScorerOptions): ScoreTexts {
  const { cache, models, encoder: model, rankerConfig, weights, tokens: tokenModel } = options
  const tables = cache.kind<TextScorer>('token table of', (table) => table.close())
  const source = {
    async open() {
      const table = await findTokenTable(tokenModel.folder)
      if (table === undefined) throw new ModelLoadError(tokenModel.name, 'it has no token table')
      return openTextScorer(table)
    },
  }

  /** The cosine of the query and each text, 0 to 1. */
  const cosines = (query: string, texts: readonly string[], signal: AbortSignal | undefined) =>
    models.use(model, async (encoder) => {
      const [encodedQuery, read] = await allSettledOrThrow(
        encoder.encode([query], { signal }),
        embedTexts(encoder, texts, signal),
      )
      const { dimension } = encoder
      const values = Float32Array.from(texts, (_, text) => {
        const vector = read.vectors.subarray(text * dimension, (text + 1) * dimension)
        const value = cosine(encodedQuery.vectors, vector)
        // A text without a token has a vector of zeros.
        return Number.isNaN(value) ? 0 : Math.max(0, value)
      })
      return { values, read }
    })

  const coverage = (query: string, texts: readonly string[], signal: AbortSignal | undefined) =>
    models.use(tokenModel.name, async (encoder) => {
      const [encodedQuery, read] = await allSettledOrThrow(
        encoder.tokenize([query], { signal }),
        encoder.tokenize(texts, { signal, priority: 'bulk' }),
      )
      const tokens = distinctTokens(encodedQuery.ids)
      return tables.use(tokenModel.name, source, (table) => {
        const tokenWeights = Float32Array.from(tokens, (id) => (table.tokenNorms[id] ?? 0) ** 2)
        const { exponent, fullCosine } = rankerConfig
        const measures = [{ exponent, fullCosine, weights: tokenWeights }]
        return table.score(tokens, measures, Uint16Array.from(read.ids), read.counts, signal)
      })
    })

  return async (query, texts, signal) => {
    const [{ values, read }, maxsim] = await allSettledOrThrow(
      cosines(query, texts, signal),
      coverage(query, texts, signal),
    )
    const none = new Float32Array(texts.length)
    const features = { cosine: values, maxsim, bm25: none, popularity: none }
    const { tokens, truncated } = read
    return {
      model: builtinRanker,
      scores: logits(features, weights).map(logistic),
      tokens,
      truncated,
    }
  }
}

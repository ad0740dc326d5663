/** Puts the models behind vectors and scores of callers' texts together. */
import { ValidationError } from '../errors/index.js'
import type { CrossEncoderFolders } from '../models/cross-encoders.js'
import { matryoshkaDimensions } from '../models/matryoshka.js'
import type { ResolvedModel } from '../models/registry.js'
import { builtinRanker } from '../ranking/builtin-ranker.js'
import type { CrossEncoders } from '../residency/resident-cross-encoders.js'
import type { Models } from '../residency/resident-encoders.js'
import type { ScoreTexts } from './builtin-scorer.js'
import { embedTexts, normalizeRows, shortenVectors } from './embed-texts.js'
import type { Inference } from './inference.js'
import { createServedModels } from './served-models.js'

export interface InferenceOptions extends CrossEncoderFolders {
  readonly models: Pick<Models, 'use'>
  readonly crossEncoders: Pick<CrossEncoders, 'use'>
  readonly builtinScorer: ScoreTexts
  /** The settings --search-encoder and --cross-encoder. */
  readonly defaults: Inference['defaults']
}

/** Pairs that a cross-encoder reads at once, the default of /search. */
const batchSize = 32

export function createInference(options: InferenceOptions): Inference {
  const { models, crossEncoders, builtinScorer, defaults } = options
  const served = createServedModels(options)
  return {
    defaults,
    models: () => served.all(),
    model: (name) => served.find(name),
    encoderFacts(name = defaults.encoder) {
      const { name: model, pooling } = served.encoder(name)
      return models.use(model, ({ dimension, maxTokens, revision }) =>
        Promise.resolve({ model, dimension, maxTokens, revision, pooling }),
      )
    },
    async embed({ model: name = defaults.encoder, inputs, dimensions, normalize }, signal) {
      const model = served.encoder(name)
      const shorter = dimensions === undefined ? [] : await matryoshkaDimensions(model)
      return models.use(model.name, async (encoder) => {
        const { dimension } = encoder
        if (dimensions !== undefined) checkDimensions(model, dimensions, [...shorter, dimension])
        const encoded = await embedTexts(encoder, inputs, signal)
        const { vectors } = encoded
        if (dimensions !== undefined && dimensions !== dimension) {
          const shortened = shortenVectors(vectors, dimension, dimensions)
          return { ...encoded, model: model.name, vectors: shortened, dimension: dimensions }
        }
        // A copy: vectors of queries that are cached stay as they are.
        const scaled = normalize ? normalizeRows(vectors.slice(), dimension) : vectors
        return { ...encoded, model: model.name, vectors: scaled, dimension }
      })
    },
    async score({ model: name = defaults.ranker, query, texts }, signal) {
      const location = await served.ranker(name)
      if (location.name === builtinRanker) return builtinScorer(query, texts, signal)
      return crossEncoders.use(location, undefined, async (encoder) => {
        const {
          scores,
          tokens,
          textsTruncated: truncated,
        } = await encoder.score(query, texts, {
          batchSize,
          signal,
        })
        return { model: location.name, scores, tokens, truncated }
      })
    },
  }
}

function checkDimensions(
  { name }: ResolvedModel,
  wanted: number,
  allowed: readonly number[],
): void {
  if (allowed.includes(wanted)) return
  const message =
    `expected ${allowed.join(' or ')}, the lengths of vectors that ${name} is made for, ` +
    `received ${wanted}`
  throw new ValidationError([{ path: 'dimensions', message }])
}

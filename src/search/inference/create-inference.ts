/** Puts the models behind vectors and scores of callers' texts together. */
import { ValidationError } from '../../base/errors/index.js'
import type { CrossEncoderFolders } from '../../models/registry/cross-encoders.js'
import { matryoshkaDimensions } from '../../models/registry/matryoshka.js'
import type { ResolvedModel } from '../../models/registry/registry.js'
import { builtinRanker } from '../ranking/builtin-ranker.js'
import type { CrossEncoders } from '../../models/residency/resident-cross-encoders.js'
import type { Models } from '../../models/residency/resident-encoders.js'
import type { ScoreTexts } from './builtin-scorer.js'
import { createCallerTokenizers, type ReadOptions } from './caller-tokenizers.js'
import { embedTexts, normalizeRows, shortenVectors } from './embed-texts.js'
import type { Inference, TextInput } from './inference.js'
import { createServedModels, type ModelAliases } from './served-models.js'

export interface InferenceOptions extends CrossEncoderFolders {
  readonly models: Pick<Models, 'use'>
  readonly crossEncoders: Pick<CrossEncoders, 'use'>
  readonly builtinScorer: ScoreTexts
  /** The settings --search-encoder and --cross-encoder. */
  readonly defaults: Inference['defaults']
  /** Other names of models. */
  readonly aliases?: ModelAliases
}

/** Pairs that a cross-encoder reads at once, the default of /search. */
const batchSize = 32

export function createInference(options: InferenceOptions): Inference {
  const { models, crossEncoders, builtinScorer, defaults } = options
  const served = createServedModels(options, options.aliases)
  const tokenizers = createCallerTokenizers()

  /** Texts as the model reads them by itself, or the ids of their tokens where a prompt or a cut is named. */
  async function readInputs(
    model: ResolvedModel,
    inputs: readonly TextInput[],
    { promptName, cut = 'end' }: ReadOptions,
  ): Promise<{ readonly read: readonly TextInput[]; readonly cutTexts: number }> {
    if (promptName === undefined && cut === 'end') return { read: inputs, cutTexts: 0 }
    const texts = inputs.filter((input) => typeof input === 'string')
    if (texts.length < inputs.length) {
      const message = 'expected texts where a prompt or a cut is named, received token ids'
      throw new ValidationError([{ path: 'inputs', message }])
    }
    const rows = await tokenizers.idsOf(model, texts, { promptName, cut })
    return { read: rows.map(({ ids }) => ids), cutTexts: rows.filter(({ isCut }) => isCut).length }
  }

  return {
    defaults,
    models: () => served.all(),
    model: (name) => served.find(name),
    async encoderFacts(name = defaults.encoder) {
      const resolved = served.encoder(name)
      const { name: model, pooling } = resolved
      const prompts = await tokenizers.promptsOf(resolved)
      return models.use(model, ({ dimension, maxTokens, revision }) =>
        Promise.resolve({ model, dimension, maxTokens, revision, pooling, prompts }),
      )
    },
    async embed(request, signal) {
      const { model: name = defaults.encoder, inputs, dimensions, normalize } = request
      const model = served.encoder(name)
      const { read, cutTexts } = await readInputs(model, inputs, request)
      const shorter = dimensions === undefined ? [] : await matryoshkaDimensions(model)
      return models.use(model.name, async (encoder) => {
        const { dimension } = encoder
        if (dimensions !== undefined) checkDimensions(model, dimensions, [...shorter, dimension])
        const embedded = await embedTexts(encoder, read, signal)
        const encoded = { ...embedded, truncated: embedded.truncated + cutTexts }
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
    tokenize({ model: name = defaults.encoder, texts, promptName, specialTokens }) {
      return tokenizers.tokensOf(served.encoder(name), texts, { promptName, specialTokens })
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

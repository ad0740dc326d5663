/** What the built-in ranker is made of: models/builtin/maxsim-en/config.json, fitted by tools/fit-blend. */
import { join } from 'node:path'
import * as v from 'valibot'
import { readJson } from '../model-format/model-files.js'

const weight = v.pipe(v.number(), v.finite())

/** A score is 1 / (1 + exp(-(bias + the weighted evidence))). */
const logistic = v.strictObject({ bias: weight, cosine: weight, bm25: weight, maxsim: weight })

export type BlendWeights = Readonly<v.InferOutput<typeof logistic>>

const blendFile = v.pipe(
  v.strictObject({
    model_type: v.literal('maxsim'),
    /** The static model whose tokens are compared. */
    tokens: v.string(),
    maxsim: v.strictObject({
      /** Power of each token's cosine. */
      exponent: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16)),
      /** Cosine from which on a token counts as found. */
      full_cosine: v.pipe(v.number(), v.minValue(0.01), v.maxValue(1)),
    }),
    /** By the encoder whose cosine is weighed. */
    logistic: v.record(v.string(), logistic),
  }),
  v.transform(({ tokens, maxsim, logistic }) => ({
    tokens,
    exponent: maxsim.exponent,
    fullCosine: maxsim.full_cosine,
    weights: new Map(Object.entries(logistic)),
  })),
  v.readonly(),
)

export type Blend = v.InferOutput<typeof blendFile>

/** Rejects with a ModelFileError. */
export const readBlend = (folder: string): Promise<Blend> =>
  readJson(join(folder, 'config.json'), blendFile)

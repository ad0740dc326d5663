/** The file of the built-in ranker, models/builtin/maxsim-en/config.json. tools/fit-ranker writes it. */
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import type { ServerSettings } from '../../base/config/settings.js'
import { SettingsError } from '../../base/errors/index.js'
import { readJson } from '../../models/format/model-files.js'
import type { FitWeights } from './weigh-fit.js'

const weight = v.pipe(v.number(), v.finite())
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))

/** A score is 1 / (1 + exp(-(bias + the weighted features))). */
const logistic = v.strictObject({ bias: weight, cosine: weight, bm25: weight, maxsim: weight })

/** `popularity` multiplies the setting --popularity, whose weight is that of English. */
const ofLanguages = v.strictObject({ ...logistic.entries, popularity: weight })

/** See FitWeights. */
const fitWeights = v.strictObject({
  title: weight,
  fulfilled: weight,
  fulfilledBeside: weight,
  similar: weight,
  broken: weight,
  popularity: weight,
  notMain: weight,
  firstBySequel: share,
  sequel: weight,
  minTextShare: share,
})
/** Files of earlier versions have none for the order of series. */
const ownFitWeights = v.strictObject({
  ...fitWeights.entries,
  firstBySequel: v.exactOptional(share),
  sequel: v.exactOptional(weight),
})

export type RankerWeights = Readonly<v.InferOutput<typeof logistic>>
export type LanguageWeights = Readonly<v.InferOutput<typeof ofLanguages>>

const configFile = v.pipe(
  v.strictObject({
    model_type: v.literal('maxsim'),
    /** The static model whose tokens are compared. */
    tokens: v.string(),
    maxsim: v.strictObject({
      /** Power of each token's cosine. */
      exponent: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16)),
      /** A token with at least this cosine counts in full. */
      full_cosine: v.pipe(v.number(), v.minValue(0.01), v.maxValue(1)),
      /** What all texts of a work count as one; the rest is its best text alone. */
      together: share,
    }),
    /** One set of weights for each encoder whose cosine may be the feature. */
    logistic: v.record(v.string(), logistic),
    /** The same for queries in other languages, by the model that reads them. */
    languages: v.record(v.string(), ofLanguages),
    /** The weights of what is read from a query. */
    fit: v.pipe(fitWeights, v.readonly()),
    /** See NothingFitsWeights. */
    nothing_fits: v.strictObject({
      best: weight,
      ahead: weight,
      explained: weight,
      words: weight,
      bias: weight,
      from: share,
      mostExplained: share,
    }),
  }),
  v.transform(({ tokens, maxsim, logistic, languages, fit, nothing_fits: nothingFits }) => ({
    tokens,
    exponent: maxsim.exponent,
    fullCosine: maxsim.full_cosine,
    together: maxsim.together,
    rankerWeights: new Map(Object.entries(logistic)),
    languageWeights: new Map(Object.entries(languages)),
    fit,
    nothingFits,
  })),
  v.readonly(),
)

export type RankerConfig = v.InferOutput<typeof configFile>

/** Rejects with a ModelFileError. */
export const readRankerConfig = (folder: string): Promise<RankerConfig> =>
  readJson(join(folder, 'config.json'), configFile)

/** The weights of the setting --ranker-weights, or those that ship. Rejects with a SettingsError. */
export async function fitWeightsOf(
  { rankerWeights: file }: Pick<ServerSettings, 'rankerWeights'>,
  { fit }: Pick<RankerConfig, 'fit'>,
): Promise<FitWeights> {
  if (file === 'none') return fit
  const own = await readJson(resolve(file), ownFitWeights).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError([
      `--ranker-weights: expected a file that \`synoptic ranker fit\` wrote; ${reason}`,
    ])
  })
  return { ...fit, ...own }
}

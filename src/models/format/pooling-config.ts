/** Which pooling a model needs, in the form of sentence-transformers 6 or the older one. */
import { join } from 'node:path'
import * as v from 'valibot'
import { ModelFileError, readJson } from './model-files.js'
import { type PoolingMode, poolingModes } from './pooling.js'

/** @param prompt the text before the model's texts */
export async function readPooling(folder: string, prompt: string) {
  const config = await readJson(join(folder, 'config.json'), poolingFile)
  if (config.include_prompt === false && prompt !== '') {
    throw new ModelFileError('pooling without the prompt (include_prompt: false) is not served')
  }
  const named = config.pooling_mode
  const modes = named === undefined ? flaggedModes(config) : Array.isArray(named) ? named : [named]
  const pooling = modes.map((mode) => {
    const poolingMode = poolingModes.find((candidate) => candidate === mode)
    if (poolingMode !== undefined) return poolingMode
    throw new ModelFileError(`pooling mode ${mode}; expected ${poolingModes.join(', ')}`)
  })
  const tokenWidth = config.embedding_dimension ?? config.word_embedding_dimension
  return { pooling, tokenWidth }
}

const poolingFile = v.looseObject({
  embedding_dimension: v.optional(v.number()),
  word_embedding_dimension: v.optional(v.number()),
  include_prompt: v.optional(v.boolean()),
  pooling_mode: v.optional(v.union([v.string(), v.pipe(v.array(v.string()), v.minLength(1))])),
})

/** The older form, a boolean a mode, in the order in which their vectors are concatenated. */
function flaggedModes(config: Readonly<Record<string, unknown>>): string[] {
  const flags = Object.keys(config).filter(
    (key) => key.startsWith('pooling_mode_') && config[key] === true,
  )
  const unknown = flags.find((flag) => !(flag in modeOfFlag))
  if (unknown !== undefined) throw new ModelFileError(`pooling ${unknown} is not known`)
  const modes = Object.entries(modeOfFlag).filter(([flag]) => flags.includes(flag))
  return modes.length === 0 ? ['mean'] : modes.map(([, mode]) => mode)
}

const modeOfFlag: Readonly<Record<string, PoolingMode>> = {
  pooling_mode_cls_token: 'cls',
  pooling_mode_max_tokens: 'max',
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_mean_sqrt_len_tokens: 'mean_sqrt_len_tokens',
  pooling_mode_weightedmean_tokens: 'weightedmean',
  pooling_mode_lasttoken: 'lasttoken',
}

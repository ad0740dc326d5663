/**
 * What a model's folder says is to be done with a text, in the layout of sentence-transformers:
 * modules.json lists the modules, each with a folder of its own. Read here, carried out by model.ts.
 * A module or mode that is not known is refused: leaving one out would give plausible, wrong vectors.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { type PoolingMode, poolingModes } from './pooling.js'
import { ModelFileError, readJson, readJsonIfThere } from './model-files.js'

export interface Pipeline {
  /** `transformer`: a vector a token, pooled here. `static`: the session gives a vector a text. */
  readonly kind: 'transformer' | 'static'
  /** Absolute path of the ONNX file. */
  readonly modelFile: string
  /** Folder of tokenizer.json. */
  readonly tokenizerFolder: string
  readonly maxTokens: number
  readonly lowerCase: boolean
  /** How the tokens' vectors become one; several are concatenated. Empty for `static`. */
  readonly pooling: readonly PoolingMode[]
  /** Whether vectors are scaled to length one in the end. */
  readonly normalize: boolean
}

export async function readPipeline(folder: string): Promise<Pipeline> {
  const modules = await readJson(join(folder, 'modules.json'), modulesFile)
  const [first, ...rest] = modules.map((module) => ({
    kind: moduleKind(module.type),
    folder: join(folder, module.path),
  }))
  if (first?.kind === 'Transformer') {
    const [second, ...others] = rest
    if (second?.kind !== 'Pooling') {
      throw new ModelFileError(
        `expected Pooling after Transformer, got ${second?.kind ?? 'nothing'}`,
      )
    }
    return {
      kind: 'transformer',
      ...(await readInput(folder, first.folder)),
      pooling: await readPooling(second.folder),
      normalize: readNormalize(others),
    }
  }
  if (first?.kind === 'StaticEmbedding') {
    return {
      kind: 'static',
      ...(await readInput(folder, first.folder)),
      pooling: [],
      normalize: readNormalize(rest),
    }
  }
  throw new ModelFileError(
    `modules.json: expected Transformer or StaticEmbedding first, got ${first?.kind ?? 'nothing'}`,
  )
}

const modulesFile = v.array(v.object({ path: v.string(), type: v.string() }))
const moduleKinds = ['Transformer', 'StaticEmbedding', 'Pooling', 'Normalize'] as const

/** Versions name the same module by different paths: `sentence_transformers.models.Pooling` ... */
function moduleKind(type: string): (typeof moduleKinds)[number] {
  const name = type.split('.').at(-1)
  const kind = moduleKinds.find((known) => known === name)
  if (kind === undefined || !type.startsWith('sentence_transformers.')) {
    throw new ModelFileError(
      `modules.json lists ${type}; expected ${moduleKinds.join(', ')} of sentence_transformers`,
    )
  }
  return kind
}

function readNormalize(modules: readonly { kind: (typeof moduleKinds)[number] }[]): boolean {
  const other = modules.find((module) => module.kind !== 'Normalize')
  if (other === undefined) return modules.length > 0
  throw new ModelFileError(`modules.json: ${other.kind} is not served at this position`)
}

/** What the first module says, and where its files are: some models keep them in the root. */
async function readInput(root: string, folder: string) {
  const settings = await readFirst(folder, inputFiles, inputFile)
  const tokenizerFolder = existsSync(join(folder, 'tokenizer.json')) ? folder : root
  if (!existsSync(join(tokenizerFolder, 'tokenizer.json'))) {
    throw new ModelFileError('tokenizer.json is missing')
  }
  const files = [join(folder, 'onnx', 'model.onnx'), join(root, 'onnx', 'model.onnx')]
  const modelFile = files.find((file) => existsSync(file))
  if (modelFile === undefined) throw new ModelFileError('onnx/model.onnx is missing')
  return {
    modelFile,
    tokenizerFolder,
    maxTokens: settings?.max_seq_length ?? (await defaultMaxTokens(folder, tokenizerFolder)),
    lowerCase: settings?.do_lower_case ?? false,
  }
}

const inputFiles = ['bert', 'roberta', 'distilbert', 'mpnet', 'xlm-roberta', 'albert'].map(
  (architecture) => `sentence_${architecture}_config.json`,
)
const inputFile = v.object({
  max_seq_length: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1))),
  do_lower_case: v.nullish(v.boolean()),
})

async function readFirst<T>(
  folder: string,
  files: readonly string[],
  schema: v.GenericSchema<unknown, T>,
): Promise<T | undefined> {
  for (const file of files) {
    const value = await readJsonIfThere(join(folder, file), schema)
    if (value !== undefined) return value
  }
  return undefined
}

/** As sentence-transformers: the tokenizer's limit, but no more than the model has positions for. */
async function defaultMaxTokens(folder: string, tokenizerFolder: string): Promise<number> {
  const tokenizer = await readJsonIfThere(
    join(tokenizerFolder, 'tokenizer_config.json'),
    v.object({ model_max_length: v.nullish(v.number()) }),
  )
  const model = await readJsonIfThere(
    join(folder, 'config.json'),
    v.object({ max_position_embeddings: v.nullish(v.number()) }),
  )
  const positions = model?.max_position_embeddings ?? -1
  return Math.min(
    tokenizer?.model_max_length ?? mostTokens,
    positions > 0 ? positions : mostTokens,
    mostTokens,
  )
}

/** Of a model that sets no limit; keeps the rows of one text of a static model below 64 MB. */
const mostTokens = 32_768

async function readPooling(folder: string): Promise<PoolingMode[]> {
  const config = await readJson(join(folder, 'config.json'), poolingFile)
  const named = config.pooling_mode
  const modes = named === undefined ? flaggedModes(config) : Array.isArray(named) ? named : [named]
  return modes.map((mode) => {
    const known = poolingModes.find((candidate) => candidate === mode)
    if (known !== undefined) return known
    throw new ModelFileError(`pooling mode ${mode}; expected ${poolingModes.join(', ')}`)
  })
}

const poolingFile = v.looseObject({
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

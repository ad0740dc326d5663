/**
 * What a model's folder says is to be done with a text, in the layout of sentence-transformers:
 * modules.json lists the modules, each with a folder of its own. Read here, carried out by model.ts.
 * A module or mode that is not known is refused: leaving one out would give plausible, wrong vectors.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { PoolingMode } from './pooling.js'
import { readPooling } from './pooling-config.js'
import { ModelFileError, readJson, readJsonIfThere } from './model-files.js'
import type { StageEntry } from './stages.js'

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
  /** Numbers a token, as the pooling expects them; undefined where it does not say. */
  readonly tokenWidth: number | undefined
  readonly stages: readonly StageEntry[]
  /** The model's default prompt, put before every text. */
  readonly prompt: string
  /** All prompts of the model by their names. */
  readonly prompts: Readonly<Record<string, string>>
}

export async function readPipeline(folder: string): Promise<Pipeline> {
  const modules = await readJson(join(folder, 'modules.json'), modulesFile)
  const [first, ...rest] = modules.map((module) => ({
    kind: moduleKind(module.type),
    folder: join(folder, module.path),
  }))
  const { prompt, prompts } = await readPrompts(folder)
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
      ...(await readPooling(second.folder, prompt)),
      stages: others.flatMap(toStages),
      prompt,
      prompts,
    }
  }
  if (first?.kind === 'StaticEmbedding') {
    return {
      kind: 'static',
      ...(await readInput(folder, first.folder)),
      pooling: [],
      tokenWidth: undefined,
      stages: rest.flatMap(toStages),
      prompt,
      prompts,
    }
  }
  throw new ModelFileError(
    `modules.json: expected Transformer or StaticEmbedding first, got ${first?.kind ?? 'nothing'}`,
  )
}

const modulesFile = v.array(v.object({ path: v.string(), type: v.string() }))
const moduleKinds = [
  'Transformer',
  'StaticEmbedding',
  'Pooling',
  'Dense',
  'Dropout',
  'Normalize',
] as const

/** Versions name the same module by different paths: `sentence_transformers.models.Pooling` ... */
function moduleKind(type: string): (typeof moduleKinds)[number] {
  const name = type.split('.').at(-1)
  const kind = moduleKinds.find((kind) => kind === name)
  if (kind === undefined || !type.startsWith('sentence_transformers.')) {
    throw new ModelFileError(
      `modules.json lists ${type}; expected ${moduleKinds.join(', ')} of sentence_transformers`,
    )
  }
  return kind
}

interface Module {
  readonly kind: (typeof moduleKinds)[number]
  readonly folder: string
}

/** Dropout only drops while a model is trained. */
function toStages({ kind, folder }: Module): StageEntry[] {
  if (kind === 'Normalize') return [{ kind: 'normalize' }]
  if (kind === 'Dense') return [{ kind: 'dense', folder }]
  if (kind === 'Dropout') return []
  throw new ModelFileError(`modules.json: ${kind} is not served at this position`)
}

/** The prompts of a model, and the one that it puts before texts by default. */
async function readPrompts(folder: string): Promise<Pick<Pipeline, 'prompt' | 'prompts'>> {
  const file = 'config_sentence_transformers.json'
  const config = await readJsonIfThere(join(folder, file), promptsFile)
  const listed = Object.entries(config?.prompts ?? {})
  const prompts = Object.fromEntries(
    listed.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  const name = config?.default_prompt_name
  if (typeof name !== 'string') return { prompt: '', prompts }
  const prompt = prompts[name]
  if (prompt !== undefined) return { prompt, prompts }
  throw new ModelFileError(`${file}: default_prompt_name is ${name}, which is not in prompts`)
}

const promptsFile = v.object({
  prompts: v.nullish(v.record(v.string(), v.nullable(v.string()))),
  default_prompt_name: v.nullish(v.string()),
})

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

/**
 * What the folder of a cross-encoder says of it, in both layouts of sentence-transformers: older
 * folders have a config.json and a tokenizer, those of its version 6 a modules.json besides.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { ModelFileError, readJson, readJsonIfThere } from './model-files.js'

export interface CrossEncoderConfig {
  readonly modelFile: string
  readonly tokenizerFolder: string
  /** Longest pair. */
  readonly maxTokens: number
  readonly lowerCase: boolean
  /** What the model's numbers stand for; one that ranks has one. */
  readonly labels: readonly string[]
}

/** Throws a ModelFileError. How many labels are too many is for the caller to judge. */
export async function readCrossEncoder(folder: string): Promise<CrossEncoderConfig> {
  await checkModules(folder)
  const config = await readJson(join(folder, 'config.json'), configFile)
  const saved = await readJsonIfThere(join(folder, 'config_sentence_transformers.json'), savedFile)
  if (saved?.model_type !== undefined && saved.model_type !== 'CrossEncoder') {
    throw new ModelFileError(
      `config_sentence_transformers.json: model_type ${saved.model_type}; expected CrossEncoder`,
    )
  }
  checkActivation(
    saved?.activation_fn ??
      config.sentence_transformers?.activation_fn ??
      config.sbert_ce_default_activation_function,
  )
  const modelFile = join(folder, 'onnx', 'model.onnx')
  for (const file of ['tokenizer.json', 'onnx/model.onnx']) {
    if (!existsSync(join(folder, file))) throw new ModelFileError(`${file} is missing`)
  }
  const input = await readJsonIfThere(join(folder, 'sentence_bert_config.json'), inputFile)
  return {
    modelFile,
    tokenizerFolder: folder,
    maxTokens: input?.max_seq_length ?? (await findMaxTokens(folder, config)),
    lowerCase: input?.do_lower_case ?? false,
    labels: labelsOf(config),
  }
}

const modulesFile = v.array(v.object({ path: v.string(), type: v.string() }))

/** Others, such as Dense or LogitScore, would be left out of the score. */
async function checkModules(folder: string): Promise<void> {
  const modules = await readJsonIfThere(join(folder, 'modules.json'), modulesFile)
  if (modules === undefined) return
  const isTransformer = (type: string | undefined) =>
    type !== undefined && /^sentence_transformers\.(.+\.)?Transformer$/.test(type)
  if (modules.length === 1 && modules[0]?.path === '' && isTransformer(modules[0].type)) return
  const names = modules.map(({ type, path }) => (path === '' ? type : `${type} in ${path}`))
  throw new ModelFileError(
    `modules.json lists ${names.join(', ') || 'nothing'}; expected a Transformer alone, in the root`,
  )
}

const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const configFile = v.object({
  model_type: v.optional(v.string()),
  num_labels: v.nullish(count),
  id2label: v.nullish(v.record(v.string(), v.string())),
  max_position_embeddings: v.nullish(v.number()),
  pad_token_id: v.nullish(v.number()),
  sentence_transformers: v.nullish(v.object({ activation_fn: v.nullish(v.string()) })),
  sbert_ce_default_activation_function: v.nullish(v.string()),
})
type Config = v.InferOutput<typeof configFile>

const savedFile = v.object({
  model_type: v.optional(v.string()),
  activation_fn: v.nullish(v.string()),
})
const inputFile = v.object({
  max_seq_length: v.nullish(count),
  do_lower_case: v.nullish(v.boolean()),
})

/**
 * A single logit goes through the sigmoid, whether the folder names it, nothing, or the bare logit: scores are 0 to 1 whatever the model. What it would make of another activation is
 * not known. As in sentence-transformers, activations from other packages count as none.
 */
function checkActivation(activation: string | null | undefined): void {
  if (!activation?.startsWith('torch.')) return
  const name = activation.split('.').at(-1)
  if (name === 'Sigmoid' || name === 'Identity') return
  throw new ModelFileError(`the activation is ${activation}; expected Sigmoid or Identity`)
}

/** Two where nothing is said, as in transformers. */
function labelsOf({ id2label, num_labels: labelCount }: Config): string[] {
  if (id2label) return Object.values(id2label)
  return Array.from({ length: labelCount ?? 2 }, (_, label) => `LABEL_${label}`)
}

const tokenizerFile = v.object({ model_max_length: v.nullish(v.number()) })

async function findMaxTokens(folder: string, config: Config): Promise<number> {
  const tokenizer = await readJsonIfThere(join(folder, 'tokenizer_config.json'), tokenizerFile)
  const positions = config.max_position_embeddings ?? -1
  // RoBERTa's positions begin behind that of the padding.
  const unused = /roberta|camembert|mpnet/.test(config.model_type ?? '')
    ? (config.pad_token_id ?? 1) + 1
    : 0
  return Math.min(
    tokenizer?.model_max_length ?? mostTokens,
    positions > 0 ? positions - unused : mostTokens,
    mostTokens,
  )
}

/** Of a model that sets no limit: what all sizes of attention can bear. */
const mostTokens = 8192

/** Model folders in the layout of sentence-transformers, small enough to check by hand. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TinyGraph, writeOnnx } from './onnx.js'

export interface TinyModel {
  /** The module that reads texts. Default `Transformer`. */
  readonly kind?: 'Transformer' | 'StaticEmbedding'
  readonly dimension?: number
  readonly maxTokens?: number
  /** Files in addition to or instead of the usual ones; a string is written as it is, null leaves it out. */
  readonly files?: Readonly<Record<string, unknown>>
  readonly graph?: Partial<TinyGraph>
}

export const tinyWords = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']
const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']
const vocabulary = [...specials, ...tinyWords]

/** Writes the folder. Its pipeline is mean pooling and no normalisation unless `files` say so. */
export function writeTinyModel(folder: string, model: TinyModel = {}): void {
  const { kind = 'Transformer', dimension = 4, maxTokens = 16 } = model
  const prefix = 'sentence_transformers.models.'
  const first = { idx: 0, name: '0', path: '', type: prefix + kind }
  const second = { idx: 1, name: '1', path: '1_Pooling', type: `${prefix}Pooling` }
  const files: Record<string, unknown> = {
    'modules.json': kind === 'Transformer' ? [first, second] : [first],
    'sentence_bert_config.json': { max_seq_length: maxTokens, do_lower_case: false },
    '1_Pooling/config.json': {
      word_embedding_dimension: dimension,
      pooling_mode_mean_tokens: true,
    },
    'tokenizer.json': tinyTokenizer,
    'tokenizer_config.json': { pad_token: '[PAD]' },
    'onnx/model.onnx': writeOnnx({
      table: tinyTable(dimension),
      dimension,
      output: kind === 'Transformer' ? 'tokens' : 'texts',
      ...model.graph,
    }),
    ...model.files,
  }
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    const isRaw = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(file, isRaw ? content : JSON.stringify(content))
  }
}

/** Row of a token in the table; unknown words have the row of [UNK]. */
export function tinyRow(token: string, dimension = 4): number[] {
  const at = vocabulary.indexOf(vocabulary.includes(token) ? token : '[UNK]')
  return [...tinyTable(dimension).subarray(at * dimension, (at + 1) * dimension)]
}

/** Vectors of all tokens, as the model has them. */
export function tinyTable(dimension: number): Float32Array {
  return Float32Array.from({ length: vocabulary.length * dimension }, (_, i) =>
    Math.sin(1 + i * 1.7),
  )
}

/** The same, with one number in the rows of some tokens. */
export function tinyTableWith(tokens: readonly string[], value: number, dimension = 4) {
  const table = tinyTable(dimension)
  for (const token of tokens) {
    const at = vocabulary.indexOf(token)
    table.fill(value, at * dimension, (at + 1) * dimension)
  }
  return table
}

export const tinyTokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: specials.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: null,
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
      { Sequence: { id: 'B', type_id: 1 } },
      { SpecialToken: { id: '[SEP]', type_id: 1 } },
    ],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: null,
  model: {
    type: 'WordLevel',
    unk_token: '[UNK]',
    vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
  },
}

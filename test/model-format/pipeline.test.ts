import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ModelLoadError } from '#synoptic/base/errors/index.js'
import { describe, expect, test } from 'vitest'
import { tinyRow, tinyTokenizer } from '../helpers/tiny-model.js'
import { openHarness, tiny, tinyStatic } from '../encoders/harness.js'

const pooling = 'sentence_transformers.sentence_transformer.modules.pooling.Pooling'
const transformer = 'sentence_transformers.base.modules.transformer.Transformer'
const normalize = 'sentence_transformers.base.modules.normalize.Normalize'
const modules = (...types: string[]) =>
  types.map((type, idx) => ({ idx, path: idx === 0 ? '' : `${idx}_Module`, type }))

/** Vectors of the tokens of `[CLS] alpha beta [SEP]`. */
const rows = ['[CLS]', 'alpha', 'beta', '[SEP]'].map((token) => tinyRow(token))
const combine = (weights: readonly number[], divisor: number) =>
  [0, 1, 2, 3].map(
    (i) =>
      rows.reduce((sum, row, token) => sum + (weights[token] ?? 0) * (row[i] ?? 0), 0) / divisor,
  )
const unit = (vector: readonly number[]) => {
  const norm = Math.hypot(...vector)
  return vector.map((value) => value / norm)
}

async function encode(files: Record<string, unknown>, text = 'alpha beta') {
  const { encoders, write } = openHarness()
  write(tiny, { files })
  const encoder = await encoders.get(tiny)
  return { encoder, ...(await encoder.encode([text])) }
}

function expectVector(vectors: Float32Array, expected: readonly number[]) {
  expect(vectors.length).toBe(expected.length)
  expected.forEach((value, i) => expect(vectors[i]).toBeCloseTo(value, 6))
}

describe('pooling', () => {
  const modes = {
    cls: combine([1, 0, 0, 0], 1),
    lasttoken: combine([0, 0, 0, 1], 1),
    mean: combine([1, 1, 1, 1], 4),
    mean_sqrt_len_tokens: combine([1, 1, 1, 1], 2),
    weightedmean: combine([1, 2, 3, 4], 10),
    max: [0, 1, 2, 3].map((i) => Math.max(...rows.map((row) => row[i] ?? 0))),
  }

  test.each(Object.entries(modes))('%s, named', async (mode, expected) => {
    const { vectors } = await encode({ '1_Pooling/config.json': { pooling_mode: mode } })
    expectVector(vectors, expected)
  })

  test.each([
    ['pooling_mode_cls_token', modes.cls],
    ['pooling_mode_max_tokens', modes.max],
    ['pooling_mode_mean_tokens', modes.mean],
    ['pooling_mode_mean_sqrt_len_tokens', modes.mean_sqrt_len_tokens],
    ['pooling_mode_weightedmean_tokens', modes.weightedmean],
    ['pooling_mode_lasttoken', modes.lasttoken],
  ])('%s, flagged', async (flag, expected) => {
    const { vectors } = await encode({ '1_Pooling/config.json': { [flag]: true } })
    expectVector(vectors, expected)
  })

  test('several modes are concatenated: a list in its order, flags in their own', async () => {
    const listed = await encode({ '1_Pooling/config.json': { pooling_mode: ['mean', 'cls'] } })
    expectVector(listed.vectors, [...modes.mean, ...modes.cls])
    expect(listed.encoder.dimension).toBe(8)
    const flags = { pooling_mode_mean_tokens: true, pooling_mode_cls_token: true }
    const flagged = await encode({ '1_Pooling/config.json': flags })
    expectVector(flagged.vectors, [...modes.cls, ...modes.mean])
  })

  test('without a flag it is the mean, as in sentence-transformers', async () => {
    const { vectors } = await encode({ '1_Pooling/config.json': { word_embedding_dimension: 4 } })
    expectVector(vectors, modes.mean)
  })

  test('the padding of a batch changes nothing', async () => {
    const texts = ['alpha', 'alpha beta gamma delta epsilon zeta', 'alpha beta']
    for (const mode of Object.keys(modes)) {
      const { encoders, write } = openHarness()
      write(tiny, { files: { '1_Pooling/config.json': { pooling_mode: mode } } })
      const encoder = await encoders.get(tiny)
      const together = await encoder.encode(texts)
      for (const [row, text] of texts.entries()) {
        const alone = await encoder.encode([text])
        expect(together.vectors.slice(row * 4, row * 4 + 4)).toEqual(alone.vectors)
      }
    }
  })
})

describe('modules', () => {
  test('newer names of the modules, and unit length', async () => {
    const { vectors } = await encode({
      'modules.json': modules(transformer, pooling, normalize),
      '1_Module/config.json': { embedding_dimension: 4, pooling_mode: 'mean' },
    })
    expectVector(vectors, unit(combine([1, 1, 1, 1], 4)))
  })

  test('a transformer in a folder of its own, as older models have it', async () => {
    const { encoders, write } = openHarness()
    const prefix = 'sentence_transformers.models.'
    const list = [
      { idx: 0, path: '0_Transformer', type: `${prefix}Transformer` },
      { idx: 1, path: '1_Pooling', type: `${prefix}Pooling` },
    ]
    write(tiny, {
      files: {
        'modules.json': list,
        'sentence_bert_config.json': null,
        'tokenizer.json': null,
        '0_Transformer/tokenizer.json': tinyTokenizer,
        '0_Transformer/sentence_bert_config.json': { max_seq_length: 5 },
      },
    })
    expect((await encoders.get(tiny)).maxTokens).toBe(5)
  })

  test('a static model reads no special tokens and sums', async () => {
    const { encoders, write } = openHarness()
    write(tinyStatic, { kind: 'StaticEmbedding' })
    const encoder = await encoders.get(tinyStatic)
    const { vectors, tokens } = await encoder.encode(['alpha beta', '', 'beta', ' \t '])
    const sum = tinyRow('alpha').map((value, i) => value + (tinyRow('beta')[i] ?? 0))
    expectVector(vectors, [...sum, 0, 0, 0, 0, ...tinyRow('beta'), 0, 0, 0, 0])
    expect([...tokens]).toEqual([2, 0, 1, 0])
  })

  test('do_lower_case lowers what the tokenizer would not', async () => {
    const settings = { max_seq_length: 16, do_lower_case: true }
    const lowered = await encode({ 'sentence_bert_config.json': settings }, 'ALPHA Beta')
    expectVector(lowered.vectors, combine([1, 1, 1, 1], 4))
  })
})

describe('the longest input', () => {
  const none = { 'sentence_bert_config.json': null }
  test.each([
    ['sentence_bert_config.json', {}, 16],
    ['the tokenizer', { ...none, 'tokenizer_config.json': { model_max_length: 7 } }, 7],
    [
      'the positions, where fewer',
      {
        ...none,
        'tokenizer_config.json': { model_max_length: 9 },
        'config.json': { max_position_embeddings: 6 },
      },
      6,
    ],
    [
      'sentence_roberta_config.json',
      { ...none, 'sentence_roberta_config.json': { max_seq_length: 8 } },
      8,
    ],
    ['nothing', { ...none, 'tokenizer_config.json': { model_max_length: 1e30 } }, 32_768],
  ])('is set by %s', async (_, files, expected) => {
    expect((await encode(files)).encoder.maxTokens).toBe(expected)
  })

  test('cuts the text, keeps the special tokens and says so', async () => {
    const { encoders, write } = openHarness()
    write(tiny, { maxTokens: 4 })
    const encoder = await encoders.get(tiny)
    const long = await encoder.encode(['alpha beta gamma', 'alpha beta', 'alpha'])
    expect([...long.tokens]).toEqual([4, 4, 3])
    expect(long.truncated).toBe(1)
    expect(long.vectors.slice(0, 4)).toEqual(long.vectors.slice(4, 8))
    expectVector(long.vectors.slice(0, 4), combine([1, 1, 1, 1], 4))
  })

  test('overrides what tokenizer.json cuts and fills', async () => {
    const tokenizer = {
      ...tinyTokenizer,
      truncation: { max_length: 3, strategy: 'LongestFirst', stride: 0, direction: 'Right' },
      padding: {
        strategy: { Fixed: 12 },
        direction: 'Right',
        pad_to_multiple_of: null,
        pad_id: 0,
        pad_type_id: 0,
        pad_token: '[PAD]',
      },
    }
    const { vectors, tokens } = await encode({ 'tokenizer.json': tokenizer })
    expect([...tokens]).toEqual([4])
    expectVector(vectors, combine([1, 1, 1, 1], 4))
  })
})

describe('what cannot be served is refused by name', () => {
  const transformerOnly = { idx: 0, path: '', type: transformer }
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['modules.json that is no JSON', { 'modules.json': '[{' }, /modules\.json cannot be read/],
    ['modules.json of another shape', { 'modules.json': { a: 1 } }, /modules\.json: top level/],
    [
      'no modules',
      { 'modules.json': [] },
      /expected Transformer or StaticEmbedding first, got nothing/,
    ],
    ['no pooling', { 'modules.json': [transformerOnly] }, /expected Pooling after Transformer/],
    [
      'a module that is not known',
      { 'modules.json': modules(transformer, pooling, 'sentence_transformers.models.CNN') },
      /modules\.json lists sentence_transformers\.models\.CNN/,
    ],
    [
      'a module of somebody else',
      { 'modules.json': modules('custom_module.Transformer', pooling) },
      /modules\.json lists custom_module\.Transformer/,
    ],
    [
      'a pooling at a wrong position',
      { 'modules.json': modules(transformer, pooling, pooling), '1_Module/config.json': {} },
      /Pooling is not served at this position/,
    ],
    ['pooling.json missing', { '1_Pooling/config.json': null }, /config\.json is missing/],
    [
      'a pooling mode that is not known',
      { '1_Pooling/config.json': { pooling_mode: 'attention' } },
      /pooling mode attention; expected cls, max, mean/,
    ],
    [
      'a pooling flag that is not known',
      { '1_Pooling/config.json': { pooling_mode_attention: true } },
      /pooling pooling_mode_attention/,
    ],
    ['no tokenizer', { 'tokenizer.json': null }, /tokenizer\.json is missing/],
    ['a broken tokenizer', { 'tokenizer.json': '{"version": "1.0"' }, /tokenizer\.json/],
    ['no ONNX file', { 'onnx/model.onnx': null }, /onnx\/model\.onnx is missing/],
    ['a broken ONNX file', { 'onnx/model.onnx': 'not a model' }, /onnx\/model\.onnx/],
    [
      'a length that only holds the special tokens',
      { 'sentence_bert_config.json': { max_seq_length: 2 } },
      /above the 2 special tokens, got 2/,
    ],
    [
      'a length that is no length',
      { 'sentence_bert_config.json': { max_seq_length: -1 } },
      /max_seq_length/,
    ],
  ])('%s', async (_, files, problem) => {
    const { encoders, modelsDir, write } = openHarness()
    write(tiny, { files })
    const error = await encoders.get(tiny).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ModelLoadError)
    expect((error as Error).message).toMatch(problem)
    expect((error as Error).message).toContain(tiny)
    expect((error as Error).message).not.toContain(modelsDir)
    expect(encoders.loaded()).toEqual([])
  })

  test.each<[string, Parameters<ReturnType<typeof openHarness>['write']>[1], RegExp]>([
    [
      'an input',
      { graph: { inputs: ['input_ids', 'pixel_values'] } },
      /wants the input pixel_values/,
    ],
    ['an output', { graph: { outputName: 'logits' } }, /gives logits; expected last_hidden_state/],
    ['the axes', { graph: { output: 'texts', outputName: 'token_embeddings' } }, /with 3 axes/],
  ])('an ONNX model with %s of another kind', async (_, model, problem) => {
    const { encoders, write } = openHarness()
    write(tiny, model)
    await expect(encoders.get(tiny)).rejects.toThrow(problem)
  })

  test('a load that failed is tried again', async () => {
    const { encoders, write } = openHarness()
    const folder = write(tiny, { files: { 'onnx/model.onnx': 'not a model' } })
    await expect(encoders.get(tiny)).rejects.toThrow(ModelLoadError)
    rmSync(folder, { recursive: true })
    await expect(encoders.get(tiny)).rejects.toThrow(/not installed/)
    write(tiny)
    writeFileSync(join(folder, 'README.md'), '')
    expect((await encoders.get(tiny)).dimension).toBe(4)
  })
})

import { readFileSync } from 'node:fs'
import { ModelLoadError } from '#synoptic/base/errors/index.js'
import { describe, expect, test } from 'vitest'
import { tinyRow } from '../helpers/tiny-model.js'
import { openHarness, tiny } from '../encoders/harness.js'

const fixture = (name: string) => readFileSync(`test/fixtures/dense/${name}`)
const { state } = JSON.parse(fixture('expected.json').toString()) as {
  state: Record<'linear.weight' | 'linear.bias', number[]>
}
const types = ['Transformer', 'Pooling', 'Dense', 'Normalize'] as const
const modules = (...kinds: string[]) =>
  kinds.map((kind, idx) => ({
    idx,
    path: idx === 0 ? '' : `${idx}_${kind}`,
    type: `sentence_transformers.models.${kind}`,
  }))
const tanh = 'torch.nn.modules.activation.Tanh'

/** A folder with the fixture's 4 -> 3 Dense. */
const files = (config: Record<string, unknown> = {}, others: Record<string, unknown> = {}) => ({
  'modules.json': modules('Transformer', 'Pooling', 'Dense'),
  '2_Dense/config.json': {
    in_features: 4,
    out_features: 3,
    bias: true,
    activation_function: tanh,
    ...config,
  },
  '2_Dense/model.safetensors': fixture('float32.safetensors'),
  ...others,
})

const mean = [0, 1, 2, 3].map((i) => {
  const rows = ['[CLS]', 'alpha', 'beta', '[SEP]'].map((token) => tinyRow(token))
  return rows.reduce((sum, row) => sum + (row[i] ?? 0), 0) / 4
})
const linear = (vector: readonly number[]) =>
  [0, 1, 2].map((row) =>
    vector.reduce(
      (sum, value, i) => sum + value * (state['linear.weight'][row * 4 + i] ?? NaN),
      state['linear.bias'][row] ?? NaN,
    ),
  )

async function encode(all: Record<string, unknown>, text = 'alpha beta') {
  const { encoders, write } = openHarness()
  write(tiny, { files: all })
  const encoder = await encoders.get(tiny)
  return { dimension: encoder.dimension, ...(await encoder.encode([text])) }
}

function expectVector(vectors: Float32Array, expected: readonly number[]) {
  expect(vectors.length).toBe(expected.length)
  expected.forEach((value, i) => expect(vectors[i]).toBeCloseTo(value, 6))
}

describe('Dense', () => {
  test.each(['model.safetensors', 'pytorch_model.bin'])('with the weights of %s', async (name) => {
    const weights = fixture(name.endsWith('.bin') ? 'float32.bin' : 'float32.safetensors')
    const { vectors, dimension } = await encode(
      files({}, { '2_Dense/model.safetensors': null, [`2_Dense/${name}`]: weights }),
    )
    expect(dimension).toBe(3)
    expectVector(vectors, linear(mean).map(Math.tanh))
  })

  test.each([
    ['torch.nn.modules.linear.Identity', (x: number) => x],
    ['torch.nn.modules.activation.Sigmoid', (x: number) => 1 / (1 + Math.exp(-x))],
    [undefined, Math.tanh],
  ])('with the activation %s', async (activation_function, activation) => {
    const { vectors } = await encode(files({ activation_function }))
    expectVector(vectors, linear(mean).map(activation))
  })

  test('without a bias, as T5 models have it', async () => {
    const { vectors } = await encode(
      files({ bias: false, activation_function: 'torch.nn.modules.linear.Identity' }),
    )
    expectVector(
      vectors,
      linear(mean).map((value, row) => value - (state['linear.bias'][row] ?? NaN)),
    )
  })

  test('between others: the order of modules.json is kept', async () => {
    const unit = (vector: readonly number[]) => vector.map((x) => x / Math.hypot(...vector))
    const before = await encode({
      ...files(),
      'modules.json': modules('Transformer', 'Pooling', 'Normalize', 'Dense'),
      '3_Dense/config.json': files()['2_Dense/config.json'],
      '3_Dense/model.safetensors': fixture('float32.safetensors'),
    })
    expectVector(before.vectors, linear(unit(mean)).map(Math.tanh))
    const after = await encode({ ...files(), 'modules.json': modules(...types) })
    expectVector(after.vectors, unit(linear(mean).map(Math.tanh)))
    const dropped = modules('Transformer', 'Pooling', 'Dense', 'Dropout')
    expectVector(
      (await encode({ ...files(), 'modules.json': dropped })).vectors,
      linear(mean).map(Math.tanh),
    )
  })

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'an activation that is not known',
      files({ activation_function: 'my_code.Activation' }),
      /Dense with my_code\.Activation; expected torch\.nn\.modules\.activation of CELU, ELU/,
    ],
    [
      'another shape',
      files({ out_features: 2 }),
      /expected linear\.weight of \[2, 4\], found \[3, 4\]/,
    ],
    [
      'a residual that it has no weights for',
      files({ use_residual: true }),
      /expected residual\.weight of \[3, 4\], found linear\.bias, linear\.weight/,
    ],
    ['no weights', files({}, { '2_Dense/model.safetensors': null }), /without model\.safetensors/],
    ['no settings', files({}, { '2_Dense/config.json': null }), /config\.json is missing/],
    ['settings of another shape', files({ in_features: 'four' }), /config\.json: in_features/],
    [
      'token embeddings',
      files({ module_input_name: 'token_embeddings' }),
      /Dense of token_embeddings/,
    ],
    [
      'a width that is not the pooling’s',
      { ...files(), '1_Pooling/config.json': { pooling_mode: ['mean', 'cls'] } },
      /Dense: expected vectors of 4 numbers, got 8/,
    ],
    [
      'a pooling of another width',
      { ...files(), '1_Pooling/config.json': { embedding_dimension: 5, pooling_mode: 'mean' } },
      /pooling expects 5 numbers a token, the model has 4/,
    ],
  ])('%s is refused', async (_, all, problem) => {
    const encoding = encode(all)
    await expect(encoding).rejects.toThrow(ModelLoadError)
    await expect(encoding).rejects.toThrow(problem)
  })
})

describe('a prompt', () => {
  const config = (name: string | null) => ({
    'config_sentence_transformers.json': {
      prompts: { query: 'alpha ', document: '' },
      default_prompt_name: name,
    },
  })

  test('precedes every text where the model says so', async () => {
    const { vectors, tokens } = await encode(config('query'), 'beta')
    expectVector(vectors, mean)
    expect([...tokens]).toEqual([4])
    for (const name of ['document', null]) {
      expect((await encode(config(name), 'beta')).tokens[0]).toBe(3)
    }
  })

  test('that is not there, or that the pooling leaves out, is refused', async () => {
    await expect(encode(config('poem'))).rejects.toThrow(/default_prompt_name is poem/)
    const pooling = { '1_Pooling/config.json': { pooling_mode: 'mean', include_prompt: false } }
    await expect(encode({ ...config('query'), ...pooling })).rejects.toThrow(/include_prompt/)
    expect((await encode({ ...config(null), ...pooling }, 'beta')).tokens[0]).toBe(3)
  })
})

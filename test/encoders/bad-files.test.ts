/** Files of a model that are not what they should be, and texts that nobody expects: an error or a vector. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ModelLoadError } from '#synoptic/base/errors/index.js'
import { describe, expect, test } from 'vitest'
import { type Architecture, writeArchitecture } from '../helpers/encoder-fixtures.js'
import { tinyTable } from '../helpers/tiny-model.js'
import { openHarness, tiny } from './harness.js'

describe('external data of the network', () => {
  const bytes = Buffer.from(tinyTable(4).buffer)

  test('next to it are read', async () => {
    const { encoders, write } = openHarness()
    write(tiny, {
      graph: { externalTable: 'model.onnx_data' },
      files: { 'onnx/model.onnx_data': bytes },
    })
    const plain = openHarness()
    plain.write(tiny)
    const [here, there] = await Promise.all(
      [encoders, plain.encoders].map(async (from) => (await from.get(tiny)).encode(['alpha'])),
    )
    expect(here?.vectors).toEqual(there?.vectors)
  })

  test.each<[string, (modelsDir: string) => string]>([
    ['by ..', () => '../../outside.bin'],
    ['by an absolute path', (modelsDir) => join(modelsDir, 'outside.bin')],
  ])('outside of its folder %s are refused', async (_, locate) => {
    const { encoders, modelsDir, write } = openHarness()
    write(tiny, { graph: { externalTable: locate(modelsDir) } })
    writeFileSync(join(modelsDir, 'outside.bin'), bytes)
    await expect(encoders.get(tiny)).rejects.toThrow(
      /cannot be loaded: External data path validation/,
    )
  })

  test('outside of its folder by a link are refused', async () => {
    const { encoders, modelsDir, write } = openHarness()
    const folder = write(tiny, { graph: { externalTable: 'model.onnx_data' } })
    writeFileSync(join(modelsDir, 'outside.bin'), bytes)
    symlinkSync(join(modelsDir, 'outside.bin'), join(folder, 'onnx', 'model.onnx_data'))
    await expect(encoders.get(tiny)).rejects.toThrow(/cannot be loaded: External data path/)
  })

  test.each<[string, Buffer | null]>([
    ['that are not there', null],
    ['that end too early', bytes.subarray(0, 20)],
  ])('%s are reported', async (_, content) => {
    const { encoders, write } = openHarness()
    const files = { 'onnx/model.onnx_data': content }
    write(tiny, { graph: { externalTable: 'model.onnx_data' }, files })
    await expect(encoders.get(tiny)).rejects.toThrow(ModelLoadError)
  })
})

describe('a network', () => {
  const whole = readFileSync('test/fixtures/encoders/bert/onnx/model.onnx')

  test.each<[string, (file: Buffer) => Buffer]>([
    ['that is empty', () => Buffer.alloc(0)],
    ['that ends in the middle', (file) => file.subarray(0, file.length >> 1)],
    ['that ends a byte early', (file) => file.subarray(0, -1)],
    ['of noise', (file) => Buffer.from(file.map((_, i) => (i * i * 31) & 255))],
    [
      'whose operators are not known',
      (file) => Buffer.from(file.toString('latin1').replaceAll('MatMul', 'MxtMul'), 'latin1'),
    ],
  ])('%s is refused', async (_, change) => {
    const { encoders, modelsDir } = openHarness()
    const folder = join(modelsDir, tiny)
    writeArchitecture('bert', folder)
    writeFileSync(join(folder, 'onnx', 'model.onnx'), change(whole))
    await expect(encoders.get(tiny)).rejects.toThrow(ModelLoadError)
  })
})

test('a tokenizer that knows no padding pads all the same', async () => {
  const { encoders, modelsDir } = openHarness()
  const folder = join(modelsDir, tiny)
  writeArchitecture('mpnet', folder)
  const texts = ['a teacher', 'a teacher who is a yellow octopus and has a class of students']
  const padded = await (await encoders.get(tiny)).encode(texts)
  await encoders.release(tiny)
  writeFileSync(join(folder, 'tokenizer_config.json'), '{}')
  const { vectors } = await (await encoders.get(tiny)).encode(texts)
  vectors.forEach((value, i) => expect(value).toBeCloseTo(padded.vectors[i] ?? NaN, 5))
})

/** Every kind of tokenizer meets every kind of text. */
describe.each<Architecture>(['bert', 'mpnet', 'roberta', 't5'])('%s', (architecture) => {
  test('gives awkward texts a vector, alone and together', async () => {
    const { encoders, modelsDir } = openHarness()
    writeArchitecture(architecture, join(modelsDir, tiny))
    const encoder = await encoders.get(tiny)
    const texts = [
      '',
      ' ',
      '\0',
      'a\0b\0',
      '\ud83d',
      'x \udc00 y',
      '\u{10ffff}',
      '\ufeff',
      '\u202e\u202c',
      '\u{1f419}'.repeat(3000),
      '\u0301'.repeat(5000),
      '\u0623\u062e\u0637\u0628\u0648\u0637',
      'x'.repeat(100_000),
      'a teacher '.repeat(10_000),
      '\n'.repeat(100_000),
    ]
    const { vectors, tokens } = await encoder.encode(texts)
    expect(tokens.every((count) => count <= encoder.maxTokens)).toBe(true)
    expect(vectors.every((value) => Number.isFinite(value))).toBe(true)
    for (const [row, text] of texts.entries()) {
      const alone = await encoder.encode([text])
      alone.vectors.forEach((value, i) => {
        expect(value).toBeCloseTo(vectors[row * encoder.dimension + i] ?? NaN, 5)
      })
    }
  })
})

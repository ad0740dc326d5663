/** What Python does for models: quantising and exporting, with real libraries where there are some. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createNamedEncoders } from '../helpers/named-encoders.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readEncoderFixtures, writeArchitecture } from '../helpers/encoder-fixtures.js'

const name = 'fine_tuned_sbert_anime_model'
const own = process.env.SYNOPTIC_TEST_PYTHON
const exporting = process.env.SYNOPTIC_TEST_EXPORT_PYTHON
if (own === undefined) {
  console.warn('skipped: quantising; SYNOPTIC_TEST_PYTHON names a Python with onnxruntime and onnx')
}
if (exporting === undefined || own === undefined) {
  console.warn(
    'skipped: exporting; SYNOPTIC_TEST_EXPORT_PYTHON names a Python with optimum-onnx, ' +
      'SYNOPTIC_TEST_PYTHON one with what tools/tiny-models/requirements.txt lists',
  )
}

let folder = ''
let modelsDir = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-python-'))
  modelsDir = join(folder, 'models')
})
afterEach(() => rmSync(folder, { recursive: true }))

interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function synoptic(words: readonly string[], variables: Record<string, string>) {
  const line = ['dist/cli.js', ...words, '--models-dir', modelsDir]
  const run = promisify(execFile)(process.execPath, line, { env: variables })
  const failed = (error: unknown) => error as Result
  return run.then((done): Result => ({ code: 0, ...done }), failed)
}

const network = () => join(modelsDir, name, 'onnx', 'model.onnx')
const path = { PATH: process.env.PATH ?? '' }

describe('without what it needs', () => {
  beforeEach(() => writeArchitecture('bert', join(modelsDir, name)))

  test.each<[string, string[], Record<string, string>, number, RegExp]>([
    [
      'no Python',
      ['quantize', name],
      { PATH: '' },
      1,
      /this needs Python 3\.10 or later: install uv/,
    ],
    [
      'no Python to export with',
      ['export', name, '--from', 'test/fixtures/encoders/bert', '--replace'],
      { PATH: '' },
      1,
      /this needs Python 3\.10 or later: install uv/,
    ],
    [
      'a Python without the packages',
      ['quantize', name],
      { ...path, SYNOPTIC_PYTHON: process.execPath },
      1,
      /SYNOPTIC_PYTHON: expected a Python that can import onnxruntime\.quantization, onnx \(pip/,
    ],
    [
      'a Python that is not there',
      ['quantize', name],
      { ...path, SYNOPTIC_PYTHON: '/nowhere/python' },
      1,
      /SYNOPTIC_PYTHON: expected a Python that can import/,
    ],
    ['a model that is not installed', ['quantize', 'encoders/gtr-t5-xl'], path, 1, /models pull/],
    ['what ships', ['quantize', 'builtin/static-en'], path, 1, /only encoders are quantised/],
    ['no name', ['quantize'], path, 2, /expected one model name, received 0/],
    [
      'no cosine',
      ['quantize', name, '--least-cosine', '2'],
      path,
      2,
      /expected 0 to 1, received 2/,
    ],
    ['two names', ['export', name, name], path, 2, /expected one model name, received 2/],
    [
      'a folder that is not there',
      ['export', name, '--from', 'nowhere', '--replace'],
      path,
      1,
      /there is no folder nowhere/,
    ],
    ['nothing to fetch', ['export', 'fine_tuned_sbert_model_anime'], path, 1, /no hub has it/],
  ])('%s: it is reported and nothing changes', async (_, words, variables, code, problem) => {
    const before = readFileSync(network())
    const result = await synoptic(['models', ...words], variables)
    expect(result.stderr).toMatch(problem)
    expect(result.code).toBe(code)
    expect(readFileSync(network())).toEqual(before)
    expect(readdirSync(modelsDir)).toEqual([name])
  })
})

describe.skipIf(own === undefined)('quantising', () => {
  const variables = { ...path, SYNOPTIC_PYTHON: own ?? '' }
  const quantize = (...words: string[]) =>
    synoptic(['models', 'quantize', name, ...words], variables)
  beforeEach(() => writeArchitecture('bert', join(modelsDir, name)))

  test('measures, then takes the place of float32', async () => {
    const before = readFileSync(network())
    const dry = await quantize('--least-cosine', '0.8', '--dry-run')
    expect(dry.code).toBe(0)
    expect(dry.stdout).toMatch(/: cosine to float32 0\.\d{4} on average, at least 0\.\d{4}$/m)
    expect(dry.stdout).toMatch(/^ {2}\d+ texts a second, float32 \d+ \(\d+\.\d\d times as many\)$/m)
    expect(readFileSync(network())).toEqual(before)

    const done = await quantize('--least-cosine', '0.8')
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout).toContain(`Next: synoptic embed build --model ${name}`)
    expect(readFileSync(network()).includes('MatMulInteger')).toBe(true)
    const encoders = createNamedEncoders({ modelsDir, threads: 1 })
    const { vectors } = await (await encoders.get(name)).encode(['a yellow octopus'])
    expect(Math.hypot(...vectors)).toBeCloseTo(1, 5)
    await encoders.close()
    expect(readdirSync(modelsDir)).toEqual([name])
  })

  test('one that strays too far from float32 is not installed', async () => {
    const before = readFileSync(network())
    const result = await quantize('--least-cosine', '1')
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(
      /expected a mean cosine to float32 of at least 1, found 0\.\d{4}; --least-cosine accepts less/,
    )
    expect(readFileSync(network())).toEqual(before)
  })
})

describe.skipIf(exporting === undefined || own === undefined)('exporting', () => {
  let torchModels = ''
  beforeAll(async () => {
    torchModels = mkdtempSync(join(tmpdir(), 'synoptic-torch-models-'))
    const words = ['tools/tiny-models/encoders.py', '--weights', torchModels]
    await promisify(execFile)(own ?? '', words)
  }, 300_000)
  afterAll(() => rmSync(torchModels, { recursive: true }))

  test.each(['bert', 'mpnet', 'roberta', 'distilbert', 't5', 't5-gelu'])(
    'the ONNX file of %s gives the vectors of PyTorch',
    async (architecture) => {
      const source = join(folder, 'source')
      cpSync(join(torchModels, architecture), source, { recursive: true })
      const words = ['models', 'export', name, '--from', source]
      const result = await synoptic(words, { ...path, SYNOPTIC_PYTHON: exporting ?? '' })
      expect(result.stderr + result.stdout).toMatch(/Next: synoptic embed build/)
      expect(statSync(network()).isFile()).toBe(true)
      expect(readdirSync(join(modelsDir, name))).not.toContain('model.safetensors')
      const { texts, fixtures } = readEncoderFixtures()
      const expected = fixtures.find((fixture) => fixture.name === architecture)
      const encoders = createNamedEncoders({ modelsDir, threads: 1 })
      const { vectors } = await (await encoders.get(name)).encode(texts)
      await encoders.close()
      vectors.forEach((value, i) => {
        expect(Math.abs(value - (expected?.vectors[i] ?? NaN))).toBeLessThan(1e-5)
      })
    },
    300_000,
  )
})

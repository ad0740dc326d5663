/** The vectors of sentence-transformers are the target; where its files are missing, say so. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openHarness } from './harness.js'

const models = resolve(process.env.SYNOPTIC_TEST_MODELS ?? '../shared/models')
const folder = join(models, 'all-MiniLM-L6-v2')
const name = 'encoders/all-MiniLM-L6-v2'
const dimension = 384
const installed = existsSync(join(folder, 'onnx', 'model.onnx'))
if (!installed) console.warn(`skipped: no model in ${folder}; set SYNOPTIC_TEST_MODELS`)

function readReference() {
  const texts = JSON.parse(readFileSync(join(folder, 'reference_texts.json'), 'utf8')) as string[]
  const file = readFileSync(join(folder, 'reference_vectors.npy'))
  const start = 10 + file.readUInt16LE(8)
  const vectors = Float32Array.from({ length: texts.length * dimension }, (_, i) =>
    file.readFloatLE(start + i * 4),
  )
  return { texts, vectors }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, left, right] = [0, 0, 0]
  a.forEach((value, i) => {
    const other = b[i] ?? NaN
    dot += value * other
    left += value * value
    right += other * other
  })
  return dot / Math.sqrt(left * right)
}

describe.skipIf(!installed)('all-MiniLM-L6-v2', () => {
  const open = async () => {
    const { encoders, modelsDir } = openHarness()
    mkdirSync(join(modelsDir, 'encoders'))
    symlinkSync(folder, join(modelsDir, name))
    return encoders.get(name)
  }
  const row = (vectors: Float32Array, i: number) =>
    vectors.subarray(i * dimension, (i + 1) * dimension)

  test('equals sentence-transformers on every reference text, together and some alone', () =>
    expectEqual(20))

  test('equals sentence-transformers on every reference text alone', { tags: ['nightly'] }, () =>
    expectEqual(1),
  )

  const expectEqual = async (step: number) => {
    const encoder = await open()
    expect(encoder).toMatchObject({ dimension, maxTokens: 256 })
    const { texts, vectors } = readReference()
    expect(texts.length).toBe(190)
    const together = await encoder.encode(texts)
    for (const [i, text] of texts.entries()) {
      expect(cosine(row(together.vectors, i), row(vectors, i)), text).toBeGreaterThan(0.99999)
      if (i % step !== 0) continue
      const alone = await encoder.encode([text])
      expect(cosine(alone.vectors, row(vectors, i)), text).toBeGreaterThan(0.99999)
    }
  }
})

describe('builtin/static-en', () => {
  test('ships, and gives similar texts near vectors', async () => {
    const { encoders } = openHarness()
    const encoder = await encoders.get('builtin/static-en')
    expect(encoder.dimension).toBe(256)
    const { vectors, tokens } = await encoder.encode([
      'a teacher who is a yellow octopus',
      'the octopus teaches a class of students',
      'two brothers repair trains in the desert',
      '',
    ])
    const part = (i: number) => vectors.subarray(i * 256, (i + 1) * 256)
    expect(cosine(part(0), part(1))).toBeGreaterThan(cosine(part(0), part(2)) + 0.1)
    expect(Math.hypot(...part(0))).toBeCloseTo(1, 5)
    expect(tokens[3]).toBe(0)
    expect(part(3).every((value) => value === 0)).toBe(true)
  })
})

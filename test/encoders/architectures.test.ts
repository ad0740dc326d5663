/** Every pipeline, compared with sentence-transformers: architectures, poolings, activations, both layouts of folders. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type EncoderFixture, readEncoderFixtures } from '../helpers/encoder-fixtures.js'
import { openHarness, tiny } from './harness.js'

const { texts, fixtures } = readEncoderFixtures()

async function open(fixture: EncoderFixture) {
  const { encoders, modelsDir } = openHarness()
  fixture.write(join(modelsDir, tiny))
  return encoders.get(tiny)
}

/** How far a vector is from the reference's. */
function compare(found: Float32Array, expected: Float32Array) {
  let [dot, left, right, difference] = [0, 0, 0, 0]
  expected.forEach((value, i) => {
    const other = found[i] ?? NaN
    dot += value * other
    left += value * value
    right += other * other
    difference = Math.max(difference, Math.abs(value - other))
  })
  return { cosine: dot / Math.sqrt(left * right), difference }
}

describe.each(fixtures)('$name', (fixture) => {
  test('equals sentence-transformers, together and alone', async () => {
    const { dimension, vectors } = fixture
    const encoder = await open(fixture)
    expect(encoder.dimension).toBe(dimension)
    const row = (all: Float32Array, i: number) => all.subarray(i * dimension, (i + 1) * dimension)
    const together = await encoder.encode(texts)
    expect(together.truncated).toBeGreaterThan(0)
    for (const [i, text] of texts.entries()) {
      const alone = await encoder.encode([text])
      for (const found of [row(together.vectors, i), alone.vectors]) {
        const { cosine, difference } = compare(found, row(vectors, i))
        expect(cosine, text).toBeGreaterThan(0.99999)
        expect(difference, text).toBeLessThan(1e-5)
      }
    }
  })
})

test('there are fixtures of all that is said to be alike', () => {
  const names = fixtures.map(({ name }) => name)
  for (const name of ['bert', 'mpnet', 'roberta', 'distilbert', 't5', 't5-gelu']) {
    expect(names).toContain(name)
  }
  expect(names.length).toBe(42)
})

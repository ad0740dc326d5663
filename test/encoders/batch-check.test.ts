/** A text has the same vector whatever else its batch holds, by any number of threads. */
import { cosineInBatch, dependsOnBatch } from '#synoptic/models/encoders/batch-check.js'
import { openServed } from '#synoptic/models/encoders/served-encoder.js'
import { openWorkerEncoder } from '#synoptic/models/encoders/worker-encoder.js'
import { builtinModel, builtinTransformer } from '#synoptic/models/registry/registry.js'
import { resolveModel } from '#synoptic/models/registry/resolve-model.js'
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

const texts = [
  'a boy finds a notebook',
  'Two brothers search for a stone that gives back what they have lost in a forbidden rite.',
  'x',
  'A quiet girl moves to a town by the sea; her new classmates hide that three years ago a boy drowned there. '.repeat(
    4,
  ),
  '!!! 1,000,000 ROBOTS !!!',
  'slice of life in a tea house with a cat',
  'vampires',
]
const bits = (vectors: Float32Array, text: number, dimension: number) =>
  createHash('sha256')
    .update(vectors.slice(text * dimension, (text + 1) * dimension))
    .digest('hex')

describe.each([builtinModel, builtinTransformer])('%s', (model) => {
  const { folder } = resolveModel(model, { modelsDir: 'models' })
  const open = async (threads: number) => {
    const encoder = await openWorkerEncoder({ model, folder, threads })
    closing.push(() => encoder.close())
    return encoder
  }

  test('gives the same bits alone, in a batch, in another order, and with more threads', async () => {
    const [one, two] = [await open(1), await open(2)]
    const { dimension } = one
    const alone: string[] = []
    for (const text of texts) alone.push(bits((await one.encode([text])).vectors, 0, dimension))
    const batches = await Promise.all([
      one.encode(texts),
      two.encode(texts),
      one.encode(texts, { priority: 'bulk' }),
      two.encode([...texts, ...texts, ...texts], { priority: 'bulk' }),
    ])
    for (const { vectors } of batches)
      expect(texts.map((_, text) => bits(vectors, text, dimension))).toEqual(alone)
    const { vectors } = await two.encode(texts.toReversed())
    expect(texts.map((_, text) => bits(vectors, texts.length - 1 - text, dimension))).toEqual(alone)
  })

  test('gives the same bits while others ask', async () => {
    const served = await openServed({ model, folder, threads: 2 }, 2)
    closing.push(() => served.close())
    const { dimension } = served
    const [text = ''] = texts
    const expected = bits((await served.encode([text])).vectors, 0, dimension)
    const crowd = Array.from({ length: 12 }, (_, i) => served.encode(texts.slice(i % 3)))
    const meanwhile = await Promise.all(Array.from({ length: 6 }, () => served.encode([text])))
    await Promise.all(crowd)
    for (const { vectors } of meanwhile) expect(bits(vectors, 0, dimension)).toBe(expected)
  })
})

describe('a model is tried when it is loaded', () => {
  const rows = (givenTexts: readonly string[]) =>
    Promise.resolve(
      givenTexts.map((text) => ({ ids: Array.from(text, (letter) => letter.charCodeAt(0)) })),
    )

  test('and reads one text at a time if a vector depends on the batch', async () => {
    const encoder = await openWorkerEncoder({
      model: builtinTransformer,
      folder: resolveModel(builtinTransformer, { modelsDir: 'models' }).folder,
      threads: 1,
    })
    closing.push(() => encoder.close())
    expect(dependsOnBatch(encoder.cosineInBatch)).toBe(true)
    expect(encoder.cosineInBatch).toBeGreaterThan(0.9)
  })

  test.each([
    ['the largest number of the batch', (all: number) => all, true],
    ['rounding in the seventh digit', (all: number) => 1 + all * 1e-7, false],
    ['nothing', () => 1, false],
  ])('where it depends on %s', async (_, scaleOf, expected) => {
    const found = await cosineInBatch({
      tokenize: rows,
      embed(batch) {
        const largest = Math.max(...batch.flatMap(({ ids }) => ids.length))
        return Promise.resolve(
          Float32Array.from(batch.flatMap(({ ids }) => [ids.length, 40 * scaleOf(largest)])),
        )
      },
    })
    expect(dependsOnBatch(found)).toBe(expected)
  })
})

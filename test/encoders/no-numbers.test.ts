/** Models that give NaN, infinity or zeros where they should give a vector. */
import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'
import { EncoderError, ModelLoadError } from '#synoptic/base/errors/index.js'
import { openEncoder } from '#synoptic/models/encoders/open-encoder.js'
import { describe, expect, test } from 'vitest'
import { openHarness, tiny, tinyStatic } from './harness.js'
import { tinyTableWith } from '../helpers/tiny-model.js'

const everyToken = ['[UNK]', '[CLS]', '[SEP]']

describe.each([
  ['NaN', NaN],
  ['infinity', Infinity],
  ['zeros alone', 0],
])('a model that gives %s for every text', (_, value) => {
  test.each([
    ['Transformer', tiny],
    ['StaticEmbedding', tinyStatic],
  ] as const)('is refused as it is loaded: %s', async (kind, name) => {
    const { encoders, write } = openHarness()
    write(name, { kind, graph: { table: tinyTableWith(everyToken, value) } })
    await expect(encoders.get(name)).rejects.toThrow(ModelLoadError)
    await expect(encoders.get(name)).rejects.toThrow('expected numbers for a text')
  })
})

describe('a model that gives NaN for one word', () => {
  async function open() {
    const { encoders, write, modelsDir } = openHarness()
    write(tiny, { graph: { table: tinyTableWith(['gamma'], NaN) } })
    return { encoder: await encoders.get(tiny), modelsDir }
  }

  test('fails the query that has it, with the error that becomes encoding-failed', async () => {
    const { encoder } = await open()
    const failing = encoder.encode(['alpha gamma'])
    await expect(failing).rejects.toThrow(EncoderError)
    await expect(failing).rejects.toMatchObject({ reason: 'failed', texts: [0] })
    expect((await encoder.encode(['alpha'])).vectors.length).toBe(4)
  })

  test('fails no other request, although they share its batch', async () => {
    const { encoder } = await open()
    const texts = [['alpha'], ['beta gamma'], ['delta']]
    const outcomes = await Promise.allSettled(texts.map((some) => encoder.encode(some)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('names all texts that have it, also where several workers share them', async () => {
    const { encoder, modelsDir } = await open()
    const texts = ['alpha', 'gamma', 'beta', 'gamma delta', 'eta']
    await expect(encoder.encode(texts)).rejects.toMatchObject({ texts: [1, 3] })
    const several = await openEncoder(requireInstalled(tiny, { modelsDir }), {
      threads: 2,
      isBulk: true,
    })
    try {
      await expect(several.encode(texts)).rejects.toMatchObject({ texts: [1, 3] })
    } finally {
      await several.close()
    }
  })
})

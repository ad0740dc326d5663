import { type QueryCacheOptions, createQueryCache } from '#synoptic/models/residency/query-cache.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { encodeEach } from '#synoptic/models/encoders/encode-each.js'
import { EncoderError } from '#synoptic/base/errors/index.js'
import { openHarness, tiny } from '../encoders/harness.js'

let log: string[] = []
beforeEach(() => (log = []))

async function open(options: Partial<QueryCacheOptions> = {}) {
  const { encoders, write } = openHarness()
  write(tiny)
  const metrics = {
    query: (model: string, isKnown: boolean) =>
      void log.push(`${model} ${isKnown ? 'hit' : 'miss'}`),
  }
  const cache = createQueryCache({ limitBytes: 2 ** 20, metrics, ...options })
  const plain = { ...(await encoders.get(tiny)), revision: 'r1' }
  return { cache, plain, encoder: cache.wrap(plain) }
}

const [hit, miss] = [`${tiny} hit`, `${tiny} miss`]

describe('the vectors of queries', () => {
  test('are encoded once and answered alike', async () => {
    const { encoder, plain, cache } = await open()
    const first = await encoder.encode(['alpha beta'])
    const again = await encoder.encode(['alpha beta'])
    expect(again).toMatchObject({ vectors: first.vectors, tokens: first.tokens, truncated: 0 })
    expect(again.timings).toEqual({ queueMs: 0, tokenizeMs: 0, inferMs: 0 })
    expect(first.vectors).toEqual((await plain.encode(['alpha beta'])).vectors)
    expect(log).toEqual([miss, hit])
    expect(cache.bytes()).toBeGreaterThan(0)
    expect(encoder).toMatchObject({ model: tiny, dimension: 4, device: 'cpu', maxTokens: 16 })
  })

  test('are those of a text, a model and a revision', async () => {
    const { encoder, cache, plain } = await open()
    await encoder.encode(['alpha'])
    await encoder.encode(['alpha '])
    await encoder.encode(['Alpha'])
    await cache.wrap({ ...plain, revision: 'r2' }).encode(['alpha'])
    await cache.wrap({ ...plain, model: 'another' }).encode(['alpha'])
    expect(log).toEqual([miss, miss, miss, miss, 'another miss'])
    await cache.wrap(plain).encode(['alpha'])
    expect(log.at(-1)).toBe(hit)
  })

  test('stay within their memory: those used longest ago go', async () => {
    const { encoder, cache } = await open({ limitBytes: 2000 })
    for (const text of ['alpha', 'beta', 'gamma']) await encoder.encode([text])
    log = []
    await encoder.encode(['alpha'])
    for (const text of ['delta', 'alpha', 'beta']) await encoder.encode([text])
    expect(log).toEqual([hit, miss, hit, miss])
    expect(cache.bytes()).toBeLessThanOrEqual(2000)
  })

  test('of several texts are kept one by one, and only those that are missing are encoded', async () => {
    const { encoder, plain } = await open()
    const texts = ['alpha', 'beta', 'alpha beta']
    const expected = await plain.encode(texts)
    await encoder.encode(['beta'])
    const first = await encoder.encode(texts)
    expect(log).toEqual([miss, miss, hit, miss])
    expect(first).toMatchObject({ vectors: expected.vectors, tokens: expected.tokens })
    const again = await encoder.encode(texts.toReversed())
    expect(log.slice(4)).toEqual([hit, hit, hit])
    expect(again.vectors.subarray(4, 8)).toEqual(expected.vectors.subarray(4, 8))
    expect(again.timings).toEqual({ queueMs: 0, tokenizeMs: 0, inferMs: 0 })
    expect((await encoder.encode(['alpha'])).vectors).toEqual(expected.vectors.subarray(0, 4))
  })

  test('name the texts that fail by their place in the request', async () => {
    const { plain, cache } = await open()
    const failing = cache.wrap({
      ...plain,
      encode: (texts) =>
        texts.includes('bad')
          ? Promise.reject(
              new EncoderError(tiny, 'failed', 'failed', { texts: [texts.indexOf('bad')] }),
            )
          : plain.encode(texts),
    })
    await failing.encode(['alpha'])
    const refused = failing.encode(['beta', 'alpha', 'bad'])
    await expect(refused).rejects.toMatchObject({ texts: [2] })
    const { vectors } = await encodeEach(failing, ['beta', 'bad', 'alpha'])
    expect(vectors[1]).toBeInstanceOf(EncoderError)
    expect(vectors[0]).toEqual((await plain.encode(['beta'])).vectors)
    expect(vectors[2]).toEqual((await plain.encode(['alpha'])).vectors)
    const [only] = (await encodeEach(failing, ['bad'])).vectors
    expect(only).toBeInstanceOf(EncoderError)
  })

  test('are not kept of bulk work, of failures, or without memory', async () => {
    const { encoder, cache } = await open()
    await encoder.encode([])
    await encoder.encode(['alpha'], { priority: 'bulk' })
    expect(log).toEqual([])
    const aborted = { signal: AbortSignal.abort(new Error('left')) }
    await expect(encoder.encode(['alpha'], aborted)).rejects.toThrow('left')
    expect(cache.bytes()).toBe(0)
    const none = await open({ limitBytes: 0 })
    expect(none.encoder).toBe(none.plain)
    const little = await open({ limitBytes: 100 })
    await little.encoder.encode(['alpha'])
    expect(little.cache.bytes()).toBe(0)
  })

  test('ids of tokens are requested as before', async () => {
    const { encoder, plain } = await open()
    expect(await encoder.tokenize(['alpha'])).toEqual(await plain.tokenize(['alpha']))
  })
})

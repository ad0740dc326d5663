/** Several workers with one model answer as one does. */
import { join } from 'node:path'
import { createNamedEncoders } from '../helpers/named-encoders.js'
import { countWorkers, openSideBySide } from '#synoptic/models/encoders/side-by-side.js'
import { type WorkerEncoder, openWorkerEncoder } from '#synoptic/models/encoders/worker-encoder.js'
import { EncoderError, ModelLoadError } from '#synoptic/base/errors/index.js'
import type { Batch } from '#synoptic/base/observability/metrics-sink.js'
import { afterEach, describe, expect, test } from 'vitest'
import { readEncoderFixtures, writeArchitecture } from '../helpers/encoder-fixtures.js'
import { openHarness, tiny, tinyStatic } from './harness.js'

const { texts } = readEncoderFixtures()
const open: WorkerEncoder[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((encoder) => encoder.close()))
})

async function openSeveral(workers: number, batches: Batch[] = []): Promise<WorkerEncoder> {
  const folder = join(openHarness().modelsDir, tiny)
  writeArchitecture('bert', folder)
  const metrics = { batch: (_: string, batch: Batch) => void batches.push(batch) }
  const start = { model: tiny, folder, threads: workers }
  const encoder = await openSideBySide(start, workers, metrics)
  open.push(encoder)
  return encoder
}

async function openOne(): Promise<WorkerEncoder> {
  const folder = join(openHarness().modelsDir, tiny)
  writeArchitecture('bert', folder)
  const encoder = await openWorkerEncoder({ model: tiny, folder, threads: 1 })
  open.push(encoder)
  return encoder
}

describe('several workers', () => {
  test('encode as one does, however many texts there are', async () => {
    const batches: Batch[] = []
    const [several, one] = [await openSeveral(3, batches), await openOne()]
    expect(several).toMatchObject({ dimension: one.dimension, maxTokens: one.maxTokens })
    for (const count of [20, 7, 3, 2, 1, 0]) {
      const some = texts.slice(0, count)
      const [found, expected] = [await several.encode(some), await one.encode(some)]
      expect(found.tokens).toEqual(expected.tokens)
      expect(found.truncated).toBe(expected.truncated)
      expect(found.vectors.length).toBe(expected.vectors.length)
      found.vectors.forEach((value, i) => expect(value).toBeCloseTo(expected.vectors[i] ?? NaN, 5))
      expect(batches.splice(0).reduce((sum, batch) => sum + batch.texts, 0)).toBe(count)
    }
  })

  test('all read of one request', async () => {
    const batches: Batch[] = []
    const several = await openSeveral(2, batches)
    await several.encode(['a', 'b'])
    expect(batches.map((batch) => batch.texts)).toEqual([1, 1])
  })

  test('an abort, what is no text, and a close reach all of them', async () => {
    const several = await openSeveral(2)
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(several.encode(texts, { signal: stopped })).rejects.toThrow('stopped')
    const strange = [...texts.slice(0, 3), 4] as string[]
    await expect(several.encode(strange)).rejects.toThrow('expected a string as text 3, got number')
    const last = several.encode(texts)
    await several.idle()
    expect((await last).tokens.length).toBe(texts.length)
    await several.close()
    await several.close()
    await expect(several.encode(texts)).rejects.toThrow(EncoderError)
  })

  test('a model that cannot be loaded is reported once', async () => {
    const folder = openHarness().write(tiny, { files: { 'tokenizer.json': '{}' } })
    const opening = openSideBySide({ model: tiny, folder, threads: 2 }, 2)
    await expect(opening).rejects.toThrow(ModelLoadError)
  })
})

describe('how many', () => {
  const count = (name: string, threads: number, device?: string) => {
    const { modelsDir, write } = openHarness()
    write(tiny)
    write(tinyStatic, { kind: 'StaticEmbedding' })
    const start = { model: name, folder: join(modelsDir, name), threads }
    return countWorkers(device === undefined ? start : { ...start, device })
  }

  test.each<[string, () => Promise<number>, number]>([
    ['as threads', () => count(tiny, 3), 3],
    ['but no more than eight', () => count(tiny, 64), 8],
    ['one of a static model', () => count(tinyStatic, 4), 1],
    ['one on a GPU', () => count(tiny, 4, 'cuda:0'), 1],
    ['one of a folder that is none', () => count('nowhere', 4), 1],
  ])('%s', async (_, counted, expected) => {
    expect(await counted()).toBe(expected)
  })

  test('encoders for bulk work have several, and answer alike', async () => {
    const { modelsDir } = openHarness()
    writeArchitecture('bert', join(modelsDir, tiny))
    const batches: Batch[] = []
    const metrics = { batch: (_: string, batch: Batch) => void batches.push(batch) }
    const encoders = createNamedEncoders({ modelsDir, threads: 2, isBulk: true, metrics })
    const encoder = await encoders.get(tiny)
    expect((await encoder.encode(['one', 'two'])).tokens.length).toBe(2)
    expect(batches.length).toBe(2)
    await encoders.close()
    await expect(encoder.encode(['three'])).rejects.toThrow(EncoderError)
  })
})

/** A served model has one worker for a text alone, and several for texts that come together. */
import { modelResolver } from '#synoptic/models/registry/resolve-model.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { encoderBytes } from '#synoptic/models/encoders/open-encoder.js'
import { openServed, planServed } from '#synoptic/models/encoders/served-encoder.js'
import { type WorkerEncoder, openWorkerEncoder } from '#synoptic/models/encoders/worker-encoder.js'
import { EncoderError } from '#synoptic/base/errors/index.js'
import { modelBytes } from '#synoptic/models/registry/model-memory.js'
import { createQueryCache } from '#synoptic/models/residency/query-cache.js'
import { createResourceCache } from '#synoptic/models/residency/resource-cache.js'
import { createModels } from '#synoptic/models/residency/resident-encoders.js'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readEncoderFixtures, writeArchitecture } from '../helpers/encoder-fixtures.js'
import { openHarness, tiny, tinyStatic } from './harness.js'

const { texts } = readEncoderFixtures()
const [text = ''] = texts
const open: WorkerEncoder[] = []
/** Started since the test began. */
const workers: Worker[] = []
const note = (worker: Worker) => void workers.push(worker)
const patient = { timeout: 170_000, interval: 5 }

beforeEach(() => void process.on('worker', note))
afterEach(async () => {
  process.off('worker', note)
  workers.length = 0
  await Promise.all(open.splice(0).map((encoder) => encoder.close()))
})

function writeTiny(): { folder: string; modelsDir: string } {
  const { modelsDir } = openHarness()
  const folder = join(modelsDir, tiny)
  writeArchitecture('bert', folder)
  return { folder, modelsDir }
}

async function openTiny(folder = writeTiny().folder): Promise<WorkerEncoder> {
  const encoder = await openServed({ model: tiny, folder, threads: 2 }, 2)
  open.push(encoder)
  return encoder
}

/** Resolves when as many workers as that have been started and say what they are. */
const started = (count: number) =>
  vi.waitFor(() => expect(workers.length).toBe(count), patient).then(() => undefined)

const gone = (worker: Worker) => vi.waitFor(() => expect(worker.threadId).toBe(-1), patient)

/** Sends texts together until workers side by side have some of them: the first worker has them before. */
async function untilShared(encoder: WorkerEncoder): Promise<void> {
  const [, ...others] = workers
  let isShared = false
  for (const worker of others) {
    worker.on('message', ({ kind }: { kind: string }) => (isShared ||= kind === 'answers'))
  }
  await vi.waitFor(async () => {
    await encoder.encode(texts)
    expect(isShared).toBe(true)
  }, patient)
}

describe('a served model', () => {
  test('has one worker while texts come alone', async () => {
    const encoder = await openTiny()
    for (const one of texts) await encoder.encode([one])
    await encoder.encode([])
    expect(workers.length).toBe(1)
  })

  test.each<[string, (encoder: WorkerEncoder) => Promise<unknown>]>([
    ['in one request', (encoder) => encoder.encode([text, text])],
    ['in two', (encoder) => Promise.all([encoder.encode([text]), encoder.encode([text])])],
  ])('has more as soon as texts come together %s, and answers alike', async (_, together) => {
    const { folder } = writeTiny()
    const encoder = await openTiny(folder)
    const one = await openWorkerEncoder({ model: tiny, folder, threads: 1 })
    open.push(one)
    workers.splice(1)
    const expected = await one.encode(texts)
    await together(encoder)
    await started(3)
    await untilShared(encoder)
    const found = await encoder.encode(texts)
    expect(found.tokens).toEqual(expected.tokens)
    found.vectors.forEach((value, i) => expect(value).toBeCloseTo(expected.vectors[i] ?? NaN, 5))
    const alone = await encoder.encode([text])
    alone.vectors.forEach((value, i) => expect(value).toBeCloseTo(expected.vectors[i] ?? NaN, 5))
    expect(workers.length).toBe(3)
  })

  test('goes on with one worker where the others cannot start', async () => {
    const { folder } = writeTiny()
    const encoder = await openTiny(folder)
    writeFileSync(join(folder, 'tokenizer.json'), '{}')
    const requests = Array.from({ length: 5 }, () => encoder.encode(texts))
    for (const { tokens } of await Promise.all(requests)) expect(tokens.length).toBe(texts.length)
    await started(3)
    await Promise.all(workers.slice(1).map(gone))
    expect((await encoder.encode(texts)).tokens.length).toBe(texts.length)
    expect(workers.length).toBe(3)
  })

  test('takes no workers of other files', async () => {
    const { folder } = writeTiny()
    const encoder = await openTiny(folder)
    const before = await encoder.encode(texts)
    writeArchitecture('mpnet', folder)
    await encoder.encode(texts)
    await started(3)
    await Promise.all(workers.slice(1).map(gone))
    expect((await encoder.encode(texts)).vectors).toEqual(before.vectors)
  })

  test('refuses what is no text, and what was aborted, however it comes', async () => {
    const encoder = await openTiny()
    const strange = [text, 7] as string[]
    await expect(encoder.encode(strange)).rejects.toThrow('expected a string as text 1, got number')
    await started(3)
    await untilShared(encoder)
    await expect(encoder.encode(strange)).rejects.toThrow('expected a string as text 1, got number')
    const signal = AbortSignal.abort(new Error('the client left'))
    await expect(encoder.encode(texts, { signal })).rejects.toThrow('the client left')
    // Nothing of these counts as under way: a text is alone again.
    const [first] = workers
    let answers = 0
    first?.on('message', ({ kind }: { kind: string }) => (answers += Number(kind === 'answers')))
    await encoder.encode([text])
    expect(answers).toBe(1)
  })

  test('leaves no worker when it is closed, also one that is starting', async () => {
    const encoder = await openTiny()
    const last = encoder.encode(texts)
    await encoder.idle()
    expect((await last).tokens.length).toBe(texts.length)
    await started(3)
    await encoder.close()
    await Promise.all(workers.map(gone))
    await expect(encoder.encode(texts)).rejects.toThrow(EncoderError)
    await expect(encoder.encode([text])).rejects.toThrow(EncoderError)
  })
})

describe('the plan', () => {
  const mebibyte = 2 ** 20
  const planOf = async (name: string, threads: number, memory: number, device?: string) => {
    const { modelsDir, write } = openHarness()
    writeArchitecture('bert', join(modelsDir, tiny))
    write(tinyStatic, { kind: 'StaticEmbedding' })
    const folder = join(modelsDir, name)
    const plan = await planServed(
      { model: name, folder, threads, ...(device && { device }) },
      memory,
    )
    const one = await modelBytes(folder, 'encoder')
    expect(plan.bytes).toBe(one * (1 + plan.sideBySide))
    return plan.sideBySide
  }

  test.each<[string, number, () => Promise<number>]>([
    ['as many side by side as threads', 2, () => planOf(tiny, 2, 1024 * mebibyte)],
    ['eight at most', 8, () => planOf(tiny, 64, 10_000 * mebibyte)],
    ['as many as a quarter of the memory has room for', 2, () => planOf(tiny, 4, 450 * mebibyte)],
    ['none where there is room for one', 0, () => planOf(tiny, 4, 350 * mebibyte)],
    ['none where there is room for none', 0, () => planOf(tiny, 4, 10 * mebibyte)],
    ['none with one thread', 0, () => planOf(tiny, 1, 1024 * mebibyte)],
    ['none of a static model', 0, () => planOf(tinyStatic, 4, 1024 * mebibyte)],
    ['none on a GPU', 0, () => planOf(tiny, 4, 1024 * mebibyte, 'cuda:0')],
  ])('%s', async (_, expected, planned) => {
    expect(await planned()).toBe(expected)
  })

  test('counts against the limit with all workers', async () => {
    const { modelsDir, folder } = writeTiny()
    const one = await modelBytes(folder, 'encoder')
    const options = { threads: 2, device: 'cpu' }
    const resolve = modelResolver({ modelsDir })
    expect(await encoderBytes(resolve(tiny), options)).toBe(one)
    expect(await encoderBytes(resolve(tiny), { ...options, memoryLimit: 12 * one })).toBe(3 * one)
    const cache = createResourceCache({ limitBytes: 12 * one })
    const queries = createQueryCache({ limitBytes: 0 })
    const models = createModels({ ...options, resolve, cache, queries, memoryLimit: 12 * one })
    await models.use(tiny, (encoder) => encoder.encode(texts))
    expect(cache.list('model')).toEqual([{ name: tiny, bytes: 3 * one, isOpen: true }])
    await started(3)
    await cache.close()
  })
})

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevices } from '#synoptic/models/encoders/device.js'
import { openWorkerEncoder } from '#synoptic/models/encoders/worker-encoder.js'
import { ModelLoadError, ValidationError } from '#synoptic/base/errors/index.js'
import { createResourceCache } from '#synoptic/models/residency/resource-cache.js'
import { createCrossEncoders } from '#synoptic/models/residency/resident-cross-encoders.js'
import { cosine } from '#synoptic/base/util/cosine.js'
import { fixtures, reference } from '../encoders/cross-models.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-ranking-'))
const closing: (() => Promise<void>)[] = []
let workers = 0
const countWorker = () => (workers += 1)
beforeEach(() => {
  workers = 0
  process.on('worker', countWorker)
})
afterEach(async () => {
  process.off('worker', countWorker)
  for (const close of closing.splice(0)) await close()
  rmSync(scratch, { recursive: true, force: true })
})

function open(limitBytes = Infinity, hasCuda = false, usual?: string) {
  const cache = createResourceCache({ limitBytes })
  closing.push(() => cache.close())
  const warnings: string[] = []
  const encoders = createCrossEncoders({
    cache,
    threads: 1,
    devices: createDevices(hasCuda),
    device: usual,
    warn: (message) => void warnings.push(message),
  })
  return { cache, encoders, warnings }
}

const placeOf = (name: string, folder = join(fixtures, name)) => ({ name, folder, builtin: false })

function copyOf(name: string, label: string) {
  const folder = join(scratch, label)
  cpSync(join(fixtures, name), folder, { recursive: true })
  return placeOf(label, folder)
}

/** The score of the reference's first pair. */
async function firstScore(
  encoders: ReturnType<typeof open>['encoders'],
  place: ReturnType<typeof placeOf>,
  device?: string,
) {
  const [[query, text] = ['', '']] = reference.pairs
  return encoders.use(place, device, async (encoder, warnings) => {
    const { scores } = await encoder.score(query, [text], { batchSize: 8 })
    return { score: scores[0] ?? NaN, device: encoder.device, warnings }
  })
}

const expected = (name: string) => reference.scores[name]?.pairs[0] ?? NaN

describe('cross-encoders', () => {
  it('load a model once for all who ask, and keep it', async () => {
    const { encoders } = open()
    const requested = Array.from({ length: 5 }, () => firstScore(encoders, placeOf('bert')))
    for (const { score } of await Promise.all(requested))
      expect(score).toBeCloseTo(expected('bert'), 5)
    await firstScore(encoders, placeOf('bert'))
    expect(workers).toBe(1)
  })

  it('release what was used longest ago when memory is short', async () => {
    const { cache, encoders } = open(1)
    await firstScore(encoders, placeOf('bert'))
    const { score } = await firstScore(encoders, placeOf('xlm-roberta'))
    expect(score).toBeCloseTo(expected('xlm-roberta'), 5)
    expect(cache.list('model').map(({ name }) => name)).toEqual(['xlm-roberta'])
    await firstScore(encoders, placeOf('bert'))
    expect(workers).toBe(3)
  })

  it('keep a model that is in use', async () => {
    const { cache, encoders } = open(1)
    await encoders.use(placeOf('bert'), undefined, async (encoder) => {
      await firstScore(encoders, placeOf('xlm-roberta'))
      expect(cache.list('model').map(({ name }) => name)).toContain('bert')
      const { scores } = await encoder.score('x', ['y'], { batchSize: 8 })
      expect(scores).toHaveLength(1)
    })
    expect(workers).toBe(2)
  })

  it('report a broken network, serve another, and try the broken one again', async () => {
    const { encoders } = open()
    const place = copyOf('bert', 'broken')
    writeFileSync(join(place.folder, 'onnx', 'model.onnx'), 'no network')
    const failing = Array.from({ length: 3 }, () => firstScore(encoders, place))
    for (const { status } of await Promise.allSettled(failing)) expect(status).toBe('rejected')
    expect(workers).toBe(1)
    await expect(firstScore(encoders, place)).rejects.toThrow(ModelLoadError)
    const other = await firstScore(encoders, placeOf('deberta-v2'))
    expect(other.score).toBeCloseTo(expected('deberta-v2'), 5)
    cpSync(join(fixtures, 'bert'), place.folder, { recursive: true })
    expect((await firstScore(encoders, place)).score).toBeCloseTo(expected('bert'), 5)
  })

  it('refuse a model of several labels, and name them', async () => {
    const { cache, encoders } = open()
    const refused = firstScore(encoders, placeOf('bert-three-labels'))
    await expect(refused).rejects.toThrow(ValidationError)
    await expect(refused).rejects.toMatchObject({
      problems: [
        {
          path: 'model_name',
          message:
            'expected a model with one label; bert-three-labels has 3: ' +
            'contradiction, entailment, neutral',
        },
      ],
    })
    expect(workers).toBe(0)
    expect(cache.list('model')).toEqual([])
  })

  it('refuse a model that does not say its labels: transformers would give it two', async () => {
    const place = copyOf('bert', 'silent')
    writeFileSync(join(place.folder, 'config.json'), '{}')
    await expect(firstScore(open().encoders, place)).rejects.toThrow('has 2: LABEL_0, LABEL_1')
  })

  it('tell what is wrong with no folder', async () => {
    const failing = firstScore(open().encoders, placeOf('nowhere', join(scratch, 'nowhere')))
    await expect(failing).rejects.toThrow(ModelLoadError)
    await expect(failing).rejects.toThrow('config.json is missing')
    await expect(failing).rejects.not.toThrow(scratch)
  })

  it('let a bi-encoder score by the cosine of its vectors', async () => {
    const folder = join(fixtures, '..', 'encoders', 'bert')
    const encoder = await openWorkerEncoder({ model: 'bi', folder, threads: 1 })
    closing.push(() => encoder.close())
    const texts = ['an octopus teaches', 'two brothers and a stone', '']
    const { vectors } = await encoder.encode(['a teacher who is a yellow octopus', ...texts])
    const vectorOf = (i: number) =>
      vectors.subarray(i * encoder.dimension, (i + 1) * encoder.dimension)
    const scores = await open().encoders.use(placeOf('bi', folder), undefined, (model) =>
      model
        .score('a teacher who is a yellow octopus', texts, { batchSize: 8 })
        .then((scored) => [...scored.scores]),
    )
    for (const [i, score] of scores.entries()) {
      expect(score).toBeCloseTo((1 + cosine(vectorOf(0), vectorOf(i + 1))) / 2, 5)
    }
    expect(new Set(scores).size).toBe(3)
  })
})

describe('the device', () => {
  it.each([
    ['none is asked for', undefined, []],
    ['the CPU is asked for', 'cpu', []],
    ['CUDA is asked for', 'cuda', ['cuda is not there; the CPU answered.']],
    ['a GPU is asked for', 'cuda:3', ['cuda:3 is not there; the CPU answered.']],
  ])('is the CPU where there is no other and %s', async (_, device, warnings) => {
    const { encoders } = open()
    const answer = await firstScore(encoders, placeOf('bert'), device)
    expect(answer).toMatchObject({ device: 'cpu', warnings })
    expect(answer.score).toBeCloseTo(expected('bert'), 5)
  })

  it('is one model for all who end at the CPU', async () => {
    const { encoders } = open()
    for (const device of [undefined, 'cpu', 'cuda', 'cuda:7']) {
      await firstScore(encoders, placeOf('bert'), device)
    }
    expect(workers).toBe(1)
  })

  it('is that of --device for searches that ask for none', async () => {
    const onCpu = open(Infinity, true, 'cpu')
    expect(await firstScore(onCpu.encoders, placeOf('bert'))).toMatchObject({ device: 'cpu' })
    // No device was tried, so none has failed.
    expect(onCpu.warnings).toEqual([])
    const onDevice = open(Infinity, true, 'cuda:997')
    const answer = await firstScore(onDevice.encoders, placeOf('bert'))
    // A caller that requests no device gets no warning; the log has one.
    expect(answer).toMatchObject({ device: 'cpu', warnings: [] })
    expect(onDevice.warnings).toEqual([expect.stringContaining('cuda:997 is not tried again')])
  })

  it('that fails to load a sound model counts as not there from then on', async () => {
    // The number is that of no GPU, whether or not the machine has others.
    const { encoders } = open(Infinity, true)
    const first = await firstScore(encoders, placeOf('bert'), 'cuda:997')
    expect(first).toMatchObject({
      device: 'cpu',
      warnings: ['cuda:997 is not there; the CPU answered.'],
    })
    expect(first.score).toBeCloseTo(expected('bert'), 5)
    expect(await firstScore(encoders, placeOf('bert'), 'cuda:997')).toMatchObject({ device: 'cpu' })
  })

  it('is not to blame for a broken model', async () => {
    const { encoders } = open(Infinity, true)
    const place = copyOf('bert', 'broken')
    writeFileSync(join(place.folder, 'onnx', 'model.onnx'), 'no network')
    await expect(firstScore(encoders, place, 'cuda:997')).rejects.toThrow(ModelLoadError)
  })
})

describe('the choice of a device', () => {
  it.each([
    [true, undefined, 'cuda:0'],
    [true, 'cuda', 'cuda:0'],
    [true, 'cuda:2', 'cuda:2'],
    [true, 'cpu', 'cpu'],
    [false, undefined, 'cpu'],
    [false, 'cuda', 'cpu'],
    [false, 'cpu', 'cpu'],
  ])('CUDA there: %s, requested: %s', (hasCuda, requested, device) => {
    expect(createDevices(hasCuda).choose(requested).device).toBe(device)
  })

  it('leaves out a device that failed, and no other', () => {
    const devices = createDevices(true)
    devices.failed('cuda:1')
    expect(devices.choose('cuda:1')).toEqual({
      device: 'cpu',
      warning: 'cuda:1 is not there; the CPU answered.',
    })
    expect(devices.choose('cuda:0')).toEqual({ device: 'cuda:0' })
  })
})

/**
 * A CUDA device from the addon up: results, metrics and the log, with the emulated device of the native
 * tests in the place of the real one.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { buildCodes } from '#synoptic/native/addon/index.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMetrics, sumOf } from '../observability/text.js'
import { randomValues, writeNpy } from './npy.js'

const libraries = ['build', 'build-native'].map((folder) =>
  resolve(folder, 'native/test/libsynoptic_emulated_cuda.so'),
)
const library = libraries.find((path) => existsSync(path)) ?? ''
const isBuilt = library !== ''
if (!isBuilt) console.warn(`skipped: needs ${libraries[0]}, which \`npm test\` builds`)

// Just large enough for a device to be used.
const [rows, dimension] = [2200, 1920]
const folder = mkdtempSync(join(tmpdir(), 'synoptic-device-'))
const path = join(folder, 'only.npy')
afterAll(() => rmSync(folder, { recursive: true }))
beforeAll(async () => {
  writeNpy(path, rows, dimension, randomValues(rows * dimension, 1))
  await buildCodes(path, { bits: 8 })
})

interface Outcome {
  readonly results: readonly { device?: string; rows: number[]; scores: number[] }[]
  readonly text: string
  readonly released: string[]
  readonly log: readonly { level: number; msg: string; reason?: string; searches?: number }[]
  readonly lost?: string
  readonly scannedBytes: number
}

type Limit = { kind: 'auto' } | { kind: 'bytes' | 'percent'; value: number }

async function run(limit: Limit, lostAtCall?: number, wanted = 'auto'): Promise<Outcome> {
  const words = JSON.stringify({ path, dimension, limit, searches: 3, wanted })
  const lost = lostAtCall === undefined ? {} : { SYNOPTIC_TEST_DEVICE_LOST: String(lostAtCall) }
  const env = { ...process.env, SYNOPTIC_CUDA_LIBRARY: library, ...lost }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'device.js'), words],
    { env, maxBuffer: 2 ** 24 },
  )
  return JSON.parse(stdout) as Outcome
}

const devicesOf = ({ results }: Outcome) => results.map(({ device }) => device)
const hitsOf = ({ results }: Outcome) => results.map(({ rows, scores }) => ({ rows, scores }))
const warningsOf = ({ log }: Outcome) => log.filter(({ level }) => level >= 40)

describe.skipIf(!isBuilt)('with a device', () => {
  let processor: Outcome
  beforeAll(async () => {
    processor = await run({ kind: 'bytes', value: 0 })
  })

  it('searches run there, with the same bits as without', async () => {
    const device = await run({ kind: 'auto' })
    expect(devicesOf(device)).toEqual(['cuda:0', 'cuda:0', 'cuda:0'])
    expect(devicesOf(processor)).toEqual([undefined, undefined, undefined])
    expect(hitsOf(device)).toEqual(hitsOf(processor))
    // The device has read its own copy.
    expect(device.scannedBytes).toBe(0)
    expect(processor.scannedBytes).toBeGreaterThan(3 * rows * dimension)
    expect(device.log[0]).toMatchObject({ msg: 'using a GPU for large searches' })
    expect(warningsOf(device)).toEqual([])

    const samples = readMetrics(device.text)
    const bytes = (kind: string) => sumOf(samples, 'synoptic_gpu_bytes', { device: 'cuda:0', kind })
    // The codes and the float32, at least.
    expect(bytes('used')).toBeGreaterThan(5 * rows * dimension)
    expect(bytes('peak')).toBeGreaterThanOrEqual(bytes('used'))
    expect(bytes('limit')).toBe(3.5 * 2 ** 30)
    expect(sumOf(samples, 'synoptic_gpu_searches_total', { by: 'device' })).toBe(3)
    expect(sumOf(samples, 'synoptic_gpu_searches_total', { by: 'processor' })).toBe(0)
    expect(device.released).toEqual(['2 column layouts on cuda:0'])
    expect(readMetrics(processor.text).filter(({ name }) => name.includes('gpu'))).toEqual([])
  })

  it('a limit smaller than one matrix is reported by the log and the metrics', async () => {
    const little = await run({ kind: 'bytes', value: rows * dimension })
    expect(devicesOf(little)).toEqual([undefined, undefined, undefined])
    expect(hitsOf(little)).toEqual(hitsOf(processor))
    const samples = readMetrics(little.text)
    expect(sumOf(samples, 'synoptic_gpu_fallbacks_total', { code: 'ECUDA_MEMORY' })).toBe(3)
    expect(sumOf(samples, 'synoptic_gpu_searches_total', { by: 'processor' })).toBe(3)
    expect(sumOf(samples, 'synoptic_gpu_bytes', { kind: 'peak' })).toBe(0)
    expect(warningsOf(little)).toEqual([
      expect.objectContaining({
        msg: 'searches fell back to the CPU',
        searches: 3,
        reason: expect.stringContaining('--gpu-memory-limit: expected at least') as string,
      }),
    ])
  })

  it('a device that is lost in flight costs no request', async () => {
    const lost = await run({ kind: 'percent', value: 50 }, 40)
    expect(hitsOf(lost)).toEqual(hitsOf(processor))
    expect(devicesOf(lost)).toContain(undefined)
    expect(lost.lost).toBe('cuda:0: failed on purpose')
    const samples = readMetrics(lost.text)
    expect(sumOf(samples, 'synoptic_gpu_fallbacks_total', { code: 'ECUDA_LOST' })).toBe(1)
    expect(warningsOf(lost)).toEqual([
      expect.objectContaining({ msg: 'the GPU is lost; using the CPU from now on' }),
      expect.objectContaining({ msg: 'searches fell back to the CPU', searches: 1 }),
    ])
  })

  it('the device that --device names is used, and one that is not there is reported', async () => {
    const named = await run({ kind: 'auto' }, undefined, 'cuda:0')
    expect(devicesOf(named)).toEqual(['cuda:0', 'cuda:0', 'cuda:0'])
    const missing = await run({ kind: 'auto' }, undefined, 'cuda:7')
    expect(devicesOf(missing)).toEqual([undefined, undefined, undefined])
    expect(warningsOf(missing)).toEqual([
      expect.objectContaining({
        msg: 'The GPU cannot be used; using the CPU.',
        err: expect.objectContaining({
          message: expect.stringContaining('cuda:7: expected one of ') as string,
        }) as object,
      }),
    ])
  })

  it('--device cpu leaves the device alone, unless a limit is given', async () => {
    const left = await run({ kind: 'auto' }, undefined, 'cpu')
    expect(devicesOf(left)).toEqual([undefined, undefined, undefined])
    expect(warningsOf(left)).toEqual([])
    const limited = await run({ kind: 'percent', value: 50 }, undefined, 'cpu')
    expect(devicesOf(limited)).toEqual(['cuda:0', 'cuda:0', 'cuda:0'])
  })

  it('a device that cannot be set up is reported at the start', async () => {
    const refused = await run({ kind: 'auto' }, 0)
    expect(devicesOf(refused)).toEqual([undefined, undefined, undefined])
    expect(warningsOf(refused)).toEqual([
      expect.objectContaining({ msg: 'The GPU cannot be used; using the CPU.' }),
    ])
  })
})

/** Quantized codes through the public handle: built, used, refused, chosen, cancelled; the results never change. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { NativeError } from '#synoptic/base/errors/index.js'
import { buildCodes, openCollection } from '#synoptic/native/addon/index.js'
import type { SearchResult, CodesStats, VectorIndex } from '#synoptic/native/addon/vector-index.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { randomValues, writeNpy } from './npy.js'
import { oracleSearch } from './oracle.js'
import { scratchFolder } from './scratch-folder.js'

const scratch = scratchFolder('codes')
let [folder, first, second] = ['', '', '']

const rows = 2600
const dimension = 80
const values = [1, 2].map((seed) => randomValues(rows * dimension, seed))
const open = (): Promise<VectorIndex> =>
  openCollection({ columns: [first, second].map((path, i) => ({ name: String(i), path })) })

beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'test-'))
  ;[first, second] = [join(folder, 'a.npy'), join(folder, 'b.npy')]
  for (const [i, path] of [first, second].entries())
    writeNpy(path, rows, dimension, values[i] ?? new Float32Array())
})

function hitsOf({ rows, columns, scores, counts }: SearchResult, query: number, k: number) {
  return Array.from({ length: counts[query] ?? 0 }, (_, j) => ({
    row: rows[query * k + j],
    column: columns[query * k + j],
    score: scores[query * k + j],
  }))
}

async function expectExact(collection: VectorIndex): Promise<void> {
  const matrices = values.map((column) => ({ values: column, dimension }))
  const mask = new Uint8Array(Math.ceil(rows / 8)).fill(0b1110_1111)
  for (const [count, k, options] of [
    [1, 10, {}],
    [1, 25, { distinct: false, mask }],
    [12, 7, {}],
    [12, 7, { columns: [1], mask }],
  ] as const) {
    const queries = randomValues(count * dimension, 7)
    const result = await collection.search(queries, count, k, options)
    for (let query = 0; query < count; query++) {
      const vector = queries.subarray(query * dimension, (query + 1) * dimension)
      expect(hitsOf(result, query, k)).toEqual(oracleSearch(matrices, rows, vector, k, options))
    }
  }
}

describe.each<[string, 4 | 8, 4 | 8]>([
  ['eight bits', 8, 8],
  ['four bits', 4, 4],
  ['both', 8, 4],
])('with codes of %s', (_, bitsOfFirst, bitsOfSecond) => {
  test('results are the oracle’s, and most rows are not read', async () => {
    await buildCodes(first, { bits: bitsOfFirst })
    await buildCodes(second, { bits: bitsOfSecond })
    const collection = await open()
    expect(collection.stats().codes).toMatchObject([{ bits: bitsOfFirst }, { bits: bitsOfSecond }])
    await expectExact(collection)
    const before = collection.stats().pairsScored ?? NaN
    await collection.search(randomValues(dimension, 8), 1, 10)
    const scored = (collection.stats().pairsScored ?? NaN) - before
    expect(scored).toBeGreaterThanOrEqual(10)
    expect(scored).toBeLessThan(rows * 2)
    if (bitsOfFirst === 8 && bitsOfSecond === 8) expect(scored).toBeLessThan(rows / 4)
  })
})

test('counts the bytes that a scan reads: of codes, of float32, of what a mask leaves', async () => {
  const few = new Uint8Array(Math.ceil(rows / 8))
  few[0] = 0b0000_0111
  const most = Uint8Array.from(few, (_, i) => (i < few.length * 0.8 ? 0xff : 0))
  const query = randomValues(dimension, 8)
  const rowBytes = dimension * Float32Array.BYTES_PER_ELEMENT
  const scannedBy = async (collection: VectorIndex, options = {}) => {
    const before = collection.stats().scannedBytes ?? NaN
    await collection.search(query, 1, 10, options)
    return (collection.stats().scannedBytes ?? NaN) - before
  }
  const plain = await open()
  expect(await scannedBy(plain)).toBe(2 * rows * rowBytes)
  expect(await scannedBy(plain, { columns: [1] })).toBe(rows * rowBytes)
  expect(await scannedBy(plain, { mask: few })).toBe(2 * 3 * rowBytes)

  await buildCodes(first, { bits: 8 })
  const coded = await open()
  const codes = await scannedBy(coded, { columns: [0] })
  expect(codes).toBeGreaterThan(rows * dimension)
  expect(codes).toBeLessThan((rows * rowBytes) / 2)
  expect(await scannedBy(coded)).toBe(codes + rows * rowBytes)
  // Blocks without a row of the mask are skipped.
  const masked = await scannedBy(coded, { columns: [0], mask: most })
  expect(Math.abs(masked - codes * 0.8)).toBeLessThan(codes / 20)
  // Of few rows the float32 are read, not the codes.
  expect(await scannedBy(coded, { mask: few })).toBe(2 * 3 * rowBytes)
})

test('a column without codes is searched next to one with them', async () => {
  await buildCodes(first, { bits: 8 })
  const collection = await open()
  expect(collection.stats().codes).toMatchObject([{ bits: 8 }, null])
  await expectExact(collection)
})

describe('building', () => {
  test('measures what pays, says so and reports its progress', async () => {
    const shares: number[] = []
    const built = await buildCodes(first, { onProgress: (share) => shares.push(share) })
    expect(built.bits).toBe(8)
    expect(built.predictedCandidates).toBeGreaterThan(0)
    expect(built.bytes).toBe(readFileSync(`${first}.q8`).length)
    expect(shares.at(-1)).toBe(1)
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    const [stats] = (await open()).stats().codes ?? []
    expect(stats).toEqual(built satisfies CodesStats)
  })

  test('replaces codes of other bits', async () => {
    await buildCodes(first, { bits: 4 })
    await buildCodes(first, { bits: 8 })
    expect(readdirSync(folder).sort()).toEqual(['a.npy', 'a.npy.q8', 'b.npy'])
  })

  test('leaves a small matrix without one', async () => {
    writeNpy(first, 50, dimension, randomValues(50 * dimension, 1))
    expect((await buildCodes(first)).bits).toBe(0)
    expect(existsSync(`${first}.q8`)).toBe(false)
  })

  test('can be aborted, before and during, and leaves nothing', async () => {
    const aborted = AbortSignal.abort(new Error('gone'))
    await expect(buildCodes(first, { signal: aborted })).rejects.toThrow('gone')
    const large = join(folder, 'large.npy')
    writeNpy(large, 40_000, 64, randomValues(40_000 * 64, 1))
    const abort = new AbortController()
    const building = buildCodes(large, { bits: 8, signal: abort.signal })
    abort.abort(new Error('gone'))
    await expect(building).rejects.toThrow('gone')
    expect(readdirSync(folder).sort()).toEqual(['a.npy', 'b.npy', 'large.npy'])
  })

  test.each([
    ['bits', ['a.npy', { bits: 5 }], /bits: expected 4, 8 or auto, received 5/],
    ['bits', ['a.npy', { bits: '8' }], /bits: expected 4, 8 or auto, received 8/],
    ['path', [''], /path: expected a file, received ""/],
    ['path', [7], /path: expected a file, received 7/],
  ])('refuses another %s', async (_, options, message) => {
    const [path, rest] = options as Parameters<typeof buildCodes>
    await expect(buildCodes(path, rest)).rejects.toThrow(message)
  })

  test('refuses what is no matrix', async () => {
    await expect(buildCodes('package.json')).rejects.toMatchObject({ code: 'ENPY_MAGIC' })
    await expect(buildCodes(join(folder, 'none.npy'))).rejects.toMatchObject({
      code: 'EFILE_OPEN',
    })
  })

  test('that fails at its end rejects for its waiting callers', async () => {
    mkdirSync(`${first}.q8/in-its-place`, { recursive: true })
    async function builds() {
      await buildCodes(first, { bits: 8 })
    }
    const error: unknown = await builds().catch((e: unknown) => e)
    expect(error).toMatchObject({ name: 'NativeError', code: 'ECODES_WRITE' })
    expect((error as NativeError).stack).toMatch(
      /^NativeError: .*\n.* at .*buildCodes .*\n.* at .*builds .*quantized-codes\.test/,
    )
    expect(readdirSync(folder).sort()).toEqual(['a.npy', 'a.npy.q8', 'b.npy'])
  })
})

describe('codes that do not belong', () => {
  async function expectRefused(code: string): Promise<void> {
    const collection = await open()
    const [codes] = collection.stats().codes ?? []
    const refused = codes && 'refused' in codes ? codes.refused : undefined
    expect(refused).toBeInstanceOf(NativeError)
    expect(refused).toMatchObject({ code, file: `${first}.q8` })
    await expectExact(collection)
  }

  test('to its matrix is refused, and results stay exact', async () => {
    await buildCodes(second, { bits: 8 })
    copyFileSync(`${second}.q8`, `${first}.q8`)
    await expectRefused('ECODES_STALE')
  })

  test.each<[string, string, (bytes: Buffer) => Buffer]>([
    ['cut short', 'ECODES_TRUNCATED', (bytes) => bytes.subarray(0, bytes.length - 1)],
    ['empty', 'ECODES_TRUNCATED', () => Buffer.alloc(0)],
    ['of another kind', 'ECODES_MAGIC', (bytes) => bytes.fill(65, 0, 8)],
    ['of another version', 'ECODES_VERSION', (bytes) => bytes.fill(9, 8, 9)],
    ['flipped in its header', 'ECODES_CORRUPT', (bytes) => bytes.fill(9, 40, 41)],
    ['flipped in its codes', 'ECODES_CORRUPT', (bytes) => bytes.fill(77, 5000, 5001)],
  ])('because it is %s is refused', async (_, code, damage) => {
    await buildCodes(first, { bits: 8 })
    writeFileSync(`${first}.q8`, damage(readFileSync(`${first}.q8`)))
    await expectRefused(code)
  })
})

/** Opening, refusing, searching and closing through the public handle. */
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NativeError } from '#synoptic/base/errors/index.js'
import { nativeInfo, openCollection } from '#synoptic/native/addon/index.js'
import { rowsOf } from '#synoptic/base/util/row-mask.js'
import type { SearchOptions, VectorIndex } from '#synoptic/native/addon/vector-index.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { npyBytes, type NpyOptions, randomValues, writeNpy } from './npy.js'
import { guardsMappedFiles, scratchFolder } from './scratch-folder.js'

const folder = scratchFolder('collection')

const rows = 40
const dimension = 6
const values = randomValues(rows * dimension, 1)
values.subarray(0, dimension).fill(0)
const good = writeNpy(join(folder, 'good.npy'), rows, dimension, values)
const half = values.slice().fill(NaN, 0, (rows / 2) * dimension)
const second = writeNpy(join(folder, 'second.npy'), rows, dimension, half)
const open = (...paths: string[]): Promise<VectorIndex> =>
  openCollection({ columns: paths.map((path, i) => ({ name: `column ${i}`, path })) })
const query = randomValues(dimension, 2)

describe('a collection', () => {
  let collection: VectorIndex
  beforeAll(async () => {
    collection = await open(good, second)
  })

  test('says what it holds', () => {
    expect(collection.rows).toBe(rows)
    expect(collection.dimension).toBe(dimension)
    expect(collection.columns).toEqual(['column 0', 'column 1'])
    expect(collection.stats()).toMatchObject({
      validRows: rows - 1,
      validVectors: [rows - 1, rows / 2],
      mappedBytes: 2 * (rows * dimension * 4 + 128),
    })
  })

  test('lists which rows have a vector, and gives the vectors of one', async () => {
    expect([...rowsOf(collection.validRows())]).toEqual(
      Array.from({ length: rows - 1 }, (_, row) => row + 1),
    )
    const blank = new Array<number>(dimension).fill(0)
    const rowOf = (matrix: Float32Array, row: number) => [
      ...matrix.subarray(row * dimension, (row + 1) * dimension),
    ]
    expect([...(await collection.vectors(0))]).toEqual([...blank, ...blank])
    expect([...(await collection.vectors(3))]).toEqual([...rowOf(values, 3), ...blank])
    const last = await collection.vectors(rows - 1)
    expect([...last]).toEqual([...rowOf(values, rows - 1), ...rowOf(half, rows - 1)])
  })

  test.each([-1, 40, 1.5, NaN, '3'])('has no vectors of a row %j', async (row) => {
    await expect(collection.vectors(row as number)).rejects.toThrow(
      /row: expected 0 to 39, received/,
    )
  })

  test('returns column positions in ascending order whatever order they are requested in', async () => {
    const reordered = await collection.search(query, 1, 5, { columns: [1, 0], distinct: false })
    const all = await collection.search(query, 1, 5, { distinct: false })
    expect(reordered).toEqual(all)
  })

  test.each<[string, unknown, unknown, unknown, SearchOptions, RegExp]>([
    ['a plain array', [...query], 1, 3, {}, /queries: expected a Float32Array/],
    ['too few values', query.subarray(1), 1, 3, {}, /expected 1 x 6 = 6 values, received 5/],
    ['too many values', randomValues(7, 1), 1, 3, {}, /received 7/],
    ['another count', query, 2, 3, {}, /2 x 6 = 12 values, received 6/],
    ['a negative count', query, -1, 3, {}, /count: expected an integer/],
    ['a fractional k', query, 1, 1.5, {}, /k: expected an integer.*received 1.5/],
    ['a k that is no number', query, 1, '3', {}, /k: expected an integer/],
    ['an enormous k', query, 1, 2 ** 31, {}, /k: expected at most/],
    ['a short mask', query, 1, 3, { mask: new Uint8Array(4) }, /5 bytes for 40 rows, received 4/],
    ['a long mask', query, 1, 3, { mask: new Uint8Array(6) }, /5 bytes for 40 rows, received 6/],
    ['no column', query, 1, 3, { columns: [] }, /columns: expected positions from 0 to 1/],
    ['an unknown column', query, 1, 3, { columns: [2] }, /received \[2\]/],
    ['a column twice', query, 1, 3, { columns: [1, 1] }, /each once/],
  ])('refuses %s', async (_, queries, count, k, options, message) => {
    const search = collection.search(queries as Float32Array, count as number, k as number, options)
    await expect(search).rejects.toThrow(message)
    await expect(search).rejects.toMatchObject({ name: 'NativeError', code: 'EARGUMENT' })
  })

  test.each([
    ['zero', 0],
    ['NaN', NaN],
    ['infinite', Infinity],
  ])('refuses a query that is %s', async (_, value) => {
    const queries = new Float32Array([...query, ...query.map(() => value)])
    const search = collection.search(queries, 2, 3)
    await expect(search).rejects.toThrow(/query 1: expected finite values that are not all zero/)
    await expect(search).rejects.toMatchObject({ code: 'EQUERY' })
  })

  test('errors carry the stack of the caller', async () => {
    async function runSearch() {
      await collection.search(new Float32Array(collection.dimension), 1, 1)
    }
    const error: unknown = await runSearch().catch((e: unknown) => e)
    expect(error).toBeInstanceOf(NativeError)
    expect((error as NativeError).stack).toMatch(
      /^NativeError: query 0: .*\n.* at .*search .*\n.* at (?:async )?runSearch .*collection\.test/,
    )
  })
})

describe('opening refuses', () => {
  test.each<[string, string, NpyOptions]>([
    ['float64', 'ENPY_DTYPE', { descr: "'<f8'" }],
    ['big-endian values', 'ENPY_DTYPE', { descr: "'>f4'" }],
    ['Fortran order', 'ENPY_ORDER', { fortranOrder: 'True' }],
    ['one axis', 'ENPY_SHAPE', { shape: '(240,)' }],
    ['three axes', 'ENPY_SHAPE', { shape: '(40, 3, 2)' }],
    ['no dimension', 'ENPY_SHAPE', { shape: '(40, 0)' }],
    ['more rows than there are', 'ENPY_TRUNCATED', { shape: '(41, 6)' }],
    ['fewer rows than there are', 'ENPY_LENGTH', { shape: '(39, 6)' }],
    ['a header that is no dictionary', 'ENPY_HEADER', { shape: '(40, 6' }],
    ['a version to come', 'ENPY_VERSION', { version: 9 }],
  ])('%s', async (name, code, options) => {
    const path = join(folder, `${name}.npy`)
    writeFileSync(path, npyBytes(rows, dimension, values, options))
    const opening = open(path)
    await expect(opening).rejects.toMatchObject({ name: 'NativeError', code, file: path })
    await expect(opening).rejects.toThrow(/expected .*found /)
  })

  test('files that are cut short, wherever the cut is', async () => {
    const whole = npyBytes(rows, dimension, values)
    const path = join(folder, 'cut.npy')
    for (const size of [0, 5, 6, 9, 10, 64, 127, 128, 129, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, size))
      await expect(open(path)).rejects.toMatchObject({ code: 'ENPY_TRUNCATED' })
    }
  })

  test('files that are not there, folders, and other files', async () => {
    await expect(open(join(folder, 'none.npy'))).rejects.toMatchObject({ code: 'EFILE_OPEN' })
    await expect(open(folder)).rejects.toMatchObject({ code: 'EFILE_OPEN' })
    await expect(open('package.json')).rejects.toMatchObject({ code: 'ENPY_MAGIC' })
  })

  test('columns that do not belong together', async () => {
    const narrow = writeNpy(join(folder, 'narrow.npy'), rows, 5, randomValues(rows * 5, 1))
    const short = writeNpy(join(folder, 'short.npy'), 39, dimension, randomValues(234, 1))
    await expect(open(good, narrow)).rejects.toMatchObject({
      code: 'EDIM_MISMATCH',
      file: narrow,
      found: '5',
    })
    await expect(open(good, short)).rejects.toMatchObject({ code: 'EROWS_MISMATCH', file: short })
  })

  test.each([[[]], [undefined], [[{ name: 'a' }]], [[{ name: 'a', path: 'a\0b' }]], ['a']])(
    'columns that are %j',
    async (columns) => {
      const opening = openCollection({ columns } as never)
      await expect(opening).rejects.toThrow(/columns: expected one or more \{name, path\}/)
    },
  )
})

describe('closing', () => {
  test('is idempotent, and a closed collection says so', async () => {
    const collection = await open(good)
    collection.close()
    collection.close()
    await expect(collection.search(query, 1, 1)).rejects.toMatchObject({ code: 'ECLOSED' })
    expect(() => collection.stats()).toThrow(expect.objectContaining({ code: 'ECLOSED' }) as Error)
  })

  test('lets searches in flight finish', async () => {
    const collection = await open(good)
    const searches = Array.from({ length: 50 }, () => collection.search(query, 1, 3))
    collection.close()
    for (const result of await Promise.all(searches)) expect(result.counts[0]).toBe(3)
  })
})

test.skipIf(guardsMappedFiles)(
  'a file that shrinks while it is served fails its requests, not the process',
  async () => {
    const path = writeNpy(join(folder, 'shrinks.npy'), 4000, 64, randomValues(256000, 3))
    const collection = await open(path)
    truncateSync(path, 10_000)
    const search = collection.search(randomValues(64, 1), 1, 3)
    await expect(search).rejects.toMatchObject({ code: 'EFILE_CHANGED', file: path })
    const other = await open(good)
    expect((await other.search(query, 1, 3)).counts[0]).toBe(3)
  },
)

test('the kernel in use is one of those available', () => {
  const { kernel, kernels, threads } = nativeInfo()
  expect(kernels).toContain(kernel)
  expect(kernels.at(-1)).toBe('scalar')
  expect(threads).toBeGreaterThan(0)
})

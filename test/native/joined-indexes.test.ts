/** Columns that have few rows: searched with the others with the same bits as if they had all. */
import { join } from 'node:path'
import { openCollection } from '#synoptic/native/addon/index.js'
import { maskOf, rowsOf } from '#synoptic/base/util/row-mask.js'
import type { VectorIndex } from '#synoptic/native/addon/vector-index.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomValues, writeNpy } from './npy.js'
import { scratchFolder } from './scratch-folder.js'

const folder = scratchFolder('joined-indexes')
const [rowCount, dimension, queryCount] = [300, 16, 3]
const few = Uint32Array.from({ length: 40 }, (_, i) => i * 7 + 3)
const queries = randomValues(queryCount * dimension, 9)

/** The same vectors as files of all rows and as files of few, of columns that have only those. */
const columns = ['one', 'few', 'other', 'also few'].map((name, i) => {
  const isFew = name.includes('few')
  const all = randomValues(rowCount * dimension, i)
  const rowOf = (row: number) => all.subarray(row * dimension, (row + 1) * dimension)
  if (isFew) for (let row = 0; row < rowCount; row++) if (!few.includes(row)) rowOf(row).fill(0)
  // A row without a text in one of the columns, and equal scores of rows and columns.
  if (name === 'few') rowOf(3).fill(0)
  for (const row of [10, 17, 24]) rowOf(row).set(queries.subarray(0, dimension))
  const whole = writeNpy(join(folder, `${name}.npy`), rowCount, dimension, all)
  const values = Float32Array.from([...few].flatMap((row) => [...rowOf(row)]))
  const path = isFew ? writeNpy(join(folder, `${name}.few.npy`), few.length, dimension, values) : ''
  return { name, whole, ...(isFew ? { path, compact: true } : { path: whole }) }
})
const wholeColumns = columns.map(({ name, whole: path }) => ({ name, path }))
const compact = { rowCount, rows: few }

describe('columns of few rows', () => {
  let whole: VectorIndex
  let joined: VectorIndex
  beforeAll(async () => {
    whole = await openCollection({ columns: wholeColumns })
    joined = await openCollection({ columns, compact })
  })
  afterAll(() => {
    whole.close()
    joined.close()
  })

  const mask = maskOf(rowCount, [3, 10, 11, 17, 24, 25, 26, 100, 101, 290, 299])
  test.each([
    ['all rows', 20, {}],
    ['more rows than there are', 400, {}],
    ['none', 0, {}],
    ['pairs of rows and columns', 50, { distinct: false }],
    ['some rows', 8, { mask }],
    ['pairs of some rows', 30, { mask, distinct: false }],
    ['no row', 5, { mask: maskOf(rowCount, []) }],
    ['one column of few rows', 10, { columns: [3] }],
    ['columns of both kinds', 10, { columns: [3, 0] }],
    ['columns of all rows', 10, { columns: [2] }],
  ])('return the same for %s', async (_, k, options) => {
    const expected = await whole.search(queries, queryCount, k, options)
    const found = await joined.search(queries, queryCount, k, options)
    expect([...found.counts]).toEqual([...expected.counts])
    for (let query = 0; query < queryCount; query++) {
      const end = query * k + (expected.counts[query] ?? 0)
      for (const part of ['rows', 'columns', 'scores'] as const)
        expect([...found[part].subarray(query * k, end)]).toEqual([
          ...expected[part].subarray(query * k, end),
        ])
    }
  })

  test('know the same rows and vectors, and map fewer bytes', async () => {
    expect(joined).toMatchObject({ rows: rowCount, dimension, columns: whole.columns })
    expect([...rowsOf(joined.validRows())]).toEqual([...rowsOf(whole.validRows())])
    for (const row of [0, 3, 10, 299])
      expect([...(await joined.vectors(row))]).toEqual([...(await whole.vectors(row))])
    const { validRows, validVectors, mappedBytes } = whole.stats()
    expect(joined.stats()).toMatchObject({ validRows, validVectors })
    expect(joined.stats().mappedBytes).toBeLessThan(mappedBytes * 0.6)
    await expect(joined.vectors(300)).rejects.toThrow(/expected 0 to 299, received 300/)
  })

  test('are searched where all columns are such', async () => {
    const onlyFew = (all: readonly { name: string }[]) =>
      all.filter(({ name }) => name.includes('few'))
    const expected = await openCollection({ columns: onlyFew(wholeColumns) as typeof wholeColumns })
    const found = await openCollection({ columns: onlyFew(columns) as typeof columns, compact })
    expect(found.rows).toBe(rowCount)
    expect(await found.search(queries, 3, 5)).toEqual(await expected.search(queries, 3, 5))
    expected.close()
    found.close()
  })

  test.each([
    ['another number of rows', { rowCount, rows: few.subarray(1) }, 'EROWS_MISMATCH'],
    ['a dataset of other rows', { rowCount: 301, rows: few }, 'EROWS_MISMATCH'],
  ])('are refused with %s', async (_, other, code) => {
    await expect(openCollection({ columns, compact: other })).rejects.toMatchObject({ code })
  })

  test.each([
    ['a mask of another length', { mask: new Uint8Array(3) }, /38 bytes for 300 rows, received 3/],
    ['a column that is not there', { columns: [4] }, /positions from 0 to 3/],
  ])('refuse %s', async (_, options, problem) => {
    await expect(joined.search(queries, queryCount, 5, options)).rejects.toThrow(problem)
  })
})

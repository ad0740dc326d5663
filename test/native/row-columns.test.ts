/** Passes over a column of one value a row, against the same in JavaScript. topHits has a test of its own. */
import { describe, expect, test } from 'vitest'
import { rowsByValue, rowsWithin, topRows } from '#synoptic/native/addon/row-columns.js'
import { maskOf } from '#synoptic/base/util/row-mask.js'
import { seeded } from '../catalogue/shelf.js'

const random = seeded(29)
/** Few values, so that many rows tie; some are not known. */
const column = (count: number) =>
  Float64Array.from({ length: count }, () => (random() < 0.2 ? NaN : Math.floor(random() * 7) - 2))

describe.each([0, 1, 7, 8, 129, 1000])('%i rows', (count) => {
  const values = column(count)
  const rows = [...values.keys()]

  test.each([
    [-Infinity, Infinity],
    [0, 3],
    [2, 2],
    [3, 0],
    [0.5, 0.6],
  ])('within %d and %d', (first, last) => {
    const within = rows.filter((row) => {
      const value = values[row] ?? NaN
      return value >= first && value <= last
    })
    expect(rowsWithin(values, first, last)).toEqual(maskOf(count, within))
  })

  test.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('by value, ascending %s, positive only %s', async (ascending, positiveOnly) => {
    const valueOf = (row: number) => values[row] ?? NaN
    const isKnown = (row: number) => (positiveOnly ? valueOf(row) > 0 : !Number.isNaN(valueOf(row)))
    const known = rows.filter(isKnown)
    known.sort(
      (one, other) => (ascending ? 1 : -1) * (valueOf(one) - valueOf(other)) || one - other,
    )
    const expected = [...known, ...rows.filter((row) => !isKnown(row))]
    expect([...(await rowsByValue(values, { ascending, positiveOnly }))]).toEqual(expected)
  })
})

test.each<[string, () => unknown]>([
  ['a mask of too few rows', () => topRows(new Float32Array(9), 3, 0, new Uint8Array(1))],
  ['another type', () => rowsWithin(new Float32Array(3) as unknown as Float64Array, 0, 1)],
  ['no number', () => rowsWithin(new Float64Array(3), '1' as unknown as number, 1)],
])('%s is refused', (_, call) => {
  expect(call).toThrow(TypeError)
})

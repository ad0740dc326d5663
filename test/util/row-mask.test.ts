import {
  bothMasks,
  countRows,
  maskOf,
  passes,
  rowsOf,
  withoutRows,
} from '#synoptic/base/util/row-mask.js'
import { describe, expect, test } from 'vitest'
import { seeded } from '../catalogue/shelf.js'

const random = seeded(5)
const some = (count: number, share: number) =>
  Array.from({ length: count }, (_, row) => row).filter(() => random() < share)

describe.each([0, 1, 7, 8, 9, 64, 1000])('a mask of %d rows', (count) => {
  test.each([0, 0.1, 0.5, 1])('with a share of %d that passes', (share) => {
    const rows = some(count, share)
    const mask = maskOf(count, rows)
    expect(mask).toHaveLength(Math.ceil(count / 8))
    expect([...rowsOf(mask)]).toEqual(rows)
    expect(countRows(mask)).toBe(rows.length)
    for (let row = 0; row < count; row += 1) expect(passes(mask, row)).toBe(rows.includes(row))
  })

  test('and another one', () => {
    const [one, other] = [some(count, 0.5), some(count, 0.5)]
    const both = bothMasks(maskOf(count, one), maskOf(count, other))
    expect([...rowsOf(both)]).toEqual(one.filter((row) => other.includes(row)))
    expect([...rowsOf(bothMasks(maskOf(count, one), undefined))]).toEqual(one)
  })
})

describe('withoutRows of no mask', () => {
  test.each([1, 7, 8, 9, 64, 67])('lets the %i rows pass, and no bit after them', (rowCount) => {
    const all = Array.from({ length: rowCount }, (_, row) => row)
    expect(withoutRows(undefined, rowCount, [])).toEqual(maskOf(rowCount, all))
    expect(withoutRows(undefined, rowCount, [0])).toEqual(maskOf(rowCount, all.slice(1)))
  })
})

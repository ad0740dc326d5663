/** The first work of a series before what continues it. */
import { describe, expect, test } from 'vitest'
import { inSeriesOrder } from '#synoptic/search/ranking/series-order.js'

const weights = { firstBySequel: 0.5, sequel: -1 }
/** Rows 3 and 4 continue row 1; row 6 continues row 9. */
const continued = Int32Array.of(-1, -1, -1, 1, 1, -1, 9, -1, -1, -1)
const order = (
  rows: readonly number[],
  scores: readonly number[],
  { continuation = 0, explained = 0 } = {},
) => [
  ...inSeriesOrder(
    Float32Array.from(scores),
    Uint32Array.from(rows),
    { continued, continuation, explained },
    weights,
  ),
]

describe('the first work', () => {
  test('gains a share of what its best sequel has more', () => {
    expect(order([1, 3, 4], [2, 3, 6])).toEqual([4, 2, 5])
  })

  test('gains nothing of sequels that have less', () => {
    expect(order([1, 3], [2, 1])).toEqual([2, 0])
  })

  test('gains at any position', () => {
    expect(order([4, 0, 1], [6, 5, 2])).toEqual([5, 5, 4])
  })
})

describe('nothing changes', () => {
  test('for a sequel alone', () => {
    expect(order([3, 6, 0], [2, 1, 0])).toEqual([2, 1, 0])
  })

  test('where the query surely describes a continuation', () => {
    expect(order([1, 3], [2, 6], { continuation: 1 })).toEqual([2, 6])
  })

  test('where facts explain all of the query', () => {
    expect(order([1, 3], [2, 6], { explained: 1 })).toEqual([2, 6])
  })

  test('of no rows', () => {
    expect(order([], [])).toEqual([])
  })
})

test.each([{ continuation: 0.5 }, { explained: 0.5 }])('of %j half counts', (fit) => {
  expect(order([1, 3], [2, 6], fit)).toEqual([3, 5.5])
})

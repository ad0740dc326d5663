import { fuseRanks } from '#synoptic/search/ranking/reciprocal-rank.js'
import { describe, expect, test } from 'vitest'

describe('lists are fused', () => {
  test('by the sum of 1 / (60 + rank)', () => {
    const fused = fuseRanks([Uint32Array.of(7, 3, 5), [3, 9]], 10)
    expect(fused.map(({ row }) => row)).toEqual([3, 7, 9, 5])
    expect(fused.map(({ score }) => score)).toEqual([1 / 62 + 1 / 61, 1 / 61, 1 / 62, 1 / 63])
  })

  test('to the lower row where sums are equal', () => {
    const fused = fuseRanks(
      [
        [8, 2],
        [4, 6],
      ],
      10,
    )
    expect(fused.map(({ row }) => row)).toEqual([4, 8, 2, 6])
  })

  test('to as many as are wanted', () => {
    expect(
      fuseRanks(
        [
          [1, 2, 3],
          [3, 2],
        ],
        1,
      ).map(({ row }) => row),
    ).toEqual([3])
    expect(fuseRanks([[1, 2, 3]], 0)).toEqual([])
  })

  test('of nothing to nothing', () => {
    expect(fuseRanks([], 5)).toEqual([])
    expect(fuseRanks([[], new Uint32Array()], 5)).toEqual([])
  })
})

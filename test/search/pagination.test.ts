import { describe, expect, it } from 'vitest'
import { maxResultWindow, sliceOf } from '#synoptic/search/service/pagination.js'

describe('pages', () => {
  it.each([
    [10, 25_000, 1000, 10_000],
    [7, 25_000, 1428, 9996],
    [10, 9_995, 1000, 9_995],
    [10, 10_001, 1000, 10_000],
    [50, 120, 3, 120],
    [10, 0, 0, 0],
  ])('of %i results, of %i: %i can be requested', (size, total, totalPages, reachableResults) => {
    const { pagination } = sliceOf(1, size, total)
    expect(pagination).toEqual({
      page: 1,
      resultsPerPage: size,
      totalResults: total,
      totalPages,
      reachableResults,
    })
    expect(totalPages * size).toBeLessThanOrEqual(maxResultWindow)
  })

  it('reach the last result that they promise', () => {
    const { end } = sliceOf(1428, 7, 25_000)
    expect(end).toBe(sliceOf(1, 7, 25_000).pagination.reachableResults)
  })
})

/** The best of many scores, compared with sorting all of them. */
import { topHits } from '#synoptic/data/lexical/top-hits.js'
import { passes } from '#synoptic/base/util/row-mask.js'
import { describe, expect, test } from 'vitest'

/** Numbers below 1, the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const sorted = (scores: Iterable<number>, limit: number, above = -Infinity, mask?: Uint8Array) =>
  [...scores]
    .map((score, row) => ({ row, score }))
    .filter(({ row, score }) => score > above && (mask === undefined || passes(mask, row)))
    .sort((one, other) => other.score - one.score || one.row - other.row)
    .slice(0, limit)

describe('topHits', () => {
  test('are the first of all, ties by row, whatever the limit, the floor and the mask', () => {
    const random = createRandom(7)
    for (let round = 0; round < 500; round += 1) {
      const count = Math.floor(random() * 200)
      const levels = round % 2 === 0 ? 12 : 1e9
      const scores = Float32Array.from({ length: count }, () => Math.floor(random() * levels) - 4)
      const limit = Math.floor(random() * 250)
      const mask = Uint8Array.from({ length: Math.ceil(count / 8) }, () => random() * 256)
      const options = round % 3 === 0 ? { mask } : round % 3 === 1 ? { above: 0 } : {}
      const expected = sorted(scores, limit, options.above, options.mask)
      expect(topHits(scores, limit, options)).toEqual(expected)
    }
  })

  test.each<[string, readonly number[], number]>([
    ['no scores', [], 5],
    ['no place', [1, 2, 3], 0],
    ['places below zero', [1, 2, 3], -1],
    ['nothing above the floor', [0, -1, -Infinity, NaN], 5],
  ])('are none of %s', (_, scores, limit) => {
    expect(topHits(Float32Array.from(scores), limit, { above: 0 })).toEqual([])
  })

  test('leave out what is no number', () => {
    const scores = Float32Array.from([NaN, 1, NaN, 3, -2, NaN])
    expect(topHits(scores, 6).map(({ row }) => row)).toEqual([3, 1, 4])
  })
})

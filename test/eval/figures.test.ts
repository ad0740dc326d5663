import { figuresOf, type Rank } from '#synoptic/search/eval/figures.js'
import { describe, expect, test } from 'vitest'

/** 1, 1/2, 1/10, 0 (the eleventh place), 0 (beyond the list). */
const ranks: readonly Rank[] = [1, 2, 10, 11, undefined]

describe('figures of ranks', () => {
  test('MRR@10 and recall are what a pencil gives', () => {
    const { mrrAt10, recallAt1, recallAt10, recallAt100 } = figuresOf(ranks)
    expect(mrrAt10.value).toBeCloseTo((1 + 1 / 2 + 1 / 10) / 5, 12)
    expect(recallAt1.value).toBe(1 / 5)
    expect(recallAt10.value).toBe(3 / 5)
    expect(recallAt100.value).toBe(4 / 5)
  })

  test('the hundredth place is the last that counts', () => {
    expect(figuresOf([100, 101]).recallAt100.value).toBe(1 / 2)
  })

  test("Wilson's intervals are those of the textbook", () => {
    const { recallAt10 } = figuresOf(Array.from({ length: 10 }, (_, i) => (i < 5 ? 1 : 50)))
    expect(recallAt10.low).toBeCloseTo(0.2366, 4)
    expect(recallAt10.high).toBeCloseTo(0.7634, 4)
    const { recallAt1 } = figuresOf(Array.from({ length: 10 }, () => 1))
    expect(recallAt1.low).toBeCloseTo(0.7225, 4)
    expect(recallAt1.high).toBeCloseTo(1, 12)
  })

  test('bootstrap intervals hold the mean, narrow with the queries and are the same twice', () => {
    const few = figuresOf(ranks).mrrAt10
    const many = figuresOf(Array.from({ length: 100 }, () => ranks).flat()).mrrAt10
    expect(few.low).toBeLessThan(few.value)
    expect(few.high).toBeGreaterThan(few.value)
    // The standard error of 500 such values is 0.0174; the normal interval is 3.92 of these wide.
    expect(many.high - many.low).toBeCloseTo(0.068, 2)
    expect(figuresOf(ranks).mrrAt10).toEqual(few)
  })

  test('equal ranks have no spread', () => {
    expect(figuresOf([2, 2, 2]).mrrAt10).toEqual({ value: 0.5, low: 0.5, high: 0.5 })
  })
})

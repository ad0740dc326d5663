import { describe, expect, it } from 'vitest'
import { createRecentValues } from '#synoptic/util/recent-values.js'

describe('recent values', () => {
  it('are what was set last, and undefined for what was not', () => {
    const values = createRecentValues<string, number>(10)
    values.set('one', 1, 1)
    values.set('one', 2, 1)
    expect(values.get('one')).toBe(2)
    expect(values.get('other')).toBeUndefined()
  })

  it('stay while they are asked for, and go once others have filled the budget', () => {
    const values = createRecentValues<number, string>(20)
    values.set(0, 'asked for', 1)
    values.set(1, 'forgotten', 1)
    for (let key = 2; key < 100; key += 1) {
      values.set(key, 'other', 1)
      expect(values.get(0)).toBe('asked for')
    }
    expect(values.get(1)).toBeUndefined()
  })

  it('are never more than the budget and one', () => {
    const values = createRecentValues<number, number>(20)
    for (let key = 0; key < 200; key += 1) values.set(key, key, 1)
    const kept = Array.from({ length: 200 }, (_, key) => values.get(key)).filter((value) => value)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThanOrEqual(21)
  })

  it('that cost more than the budget are kept until the next', () => {
    const values = createRecentValues<string, number>(10)
    values.set('large', 1, 100)
    expect(values.get('large')).toBe(1)
    values.set('larger', 2, 100)
    values.set('largest', 3, 100)
    expect(values.get('large')).toBeUndefined()
    expect(values.get('largest')).toBe(3)
  })
})

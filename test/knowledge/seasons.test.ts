/** Which work of a franchise is a season of it. */
import { describe, expect, it } from 'vitest'
import { seasonOf } from '#synoptic/knowledge/seasons.js'
import { factsOf, work } from '../facts/make-facts.js'

const facts = factsOf([
  work({ franchise: 'a', type: 'tv', year: 2023 }),
  work({ franchise: 'a', type: 'tv', year: 2019 }),
  work({ franchise: 'a', type: 'movie', year: 2020 }),
  work({ franchise: 'b', type: 'tv', year: 2021 }),
  work({ type: 'tv', year: 2020 }),
  work({ franchise: 'a', type: 'tv' }),
])

describe('a season', () => {
  it('is the nth series of the franchise by year', () => {
    expect(seasonOf(facts, 2, 1)).toBe(1)
    expect(seasonOf(facts, 1, 2)).toBe(0)
  })

  it.each([
    [0, 3],
    [0, 0],
    [4, 1],
    [9, 1],
  ])('of row %i there is no number %i', (row, number) => {
    expect(seasonOf(facts, row, number)).toBeUndefined()
  })
})

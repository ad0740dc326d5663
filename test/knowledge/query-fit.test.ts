/** How well works fit a query beside its text. */
import { describe, expect, it } from 'vitest'
import { createSimilarWorks } from '#synoptic/facts/similar-works.js'
import { fitOf, franchiseRows } from '#synoptic/knowledge/query-fit.js'
import type { Reading } from '#synoptic/query/interpretation.js'
import { factsOf, unknown, work } from '../facts/make-facts.js'

const mechs = { mecha: 3 }

const facts = factsOf([
  work({ tags: mechs, franchise: 'a', place: 'main', studios: ['Sunrise'], authors: ['Tomino'] }),
  work({ tags: mechs, franchise: 'a', place: 'sequel' }),
  work({ tags: mechs, franchise: 'b', place: 'main', studios: ['Bones'] }),
  work({ tags: mechs, franchise: 'b', place: 'sequel', studios: ['Sunrise'] }),
  work({ tags: { cooking: 3 }, authors: ['Tomino'] }),
  unknown,
])
const services = { facts, similarWorks: createSimilarWorks(facts) }
const span = { begin: 0, end: 4, label: '', confidence: 0.9, excluded: false }
const rowsReading = (kind: 'title' | 'like' | 'makers', ...rows: number[]): Reading => ({
  ...span,
  kind,
  rows,
})
const fit = (readings: readonly Reading[], text = '') =>
  fitOf({ readings, text, explained: 0.5 }, services)
const zeros = [0, 0, 0, 0, 0, 0]

describe('franchiseRows', () => {
  it('adds the other rows of the franchises', () => {
    expect(franchiseRows(facts, [1]).toSorted()).toEqual([0, 1])
    expect(franchiseRows(facts, [1, 2]).toSorted()).toEqual([0, 1, 2, 3])
  })

  it('adds none to a row without a franchise, though others have none either', () => {
    expect(franchiseRows(facts, [4])).toEqual([4])
    expect(franchiseRows(facts, [])).toEqual([])
  })
})

describe('a title', () => {
  it('fits its rows by its confidence, and no other row', () => {
    const { title, similar, broken, hasReferences } = fit([rowsReading('title', 0, 2)])
    expect([...title]).toEqual([0.9, 0, 0.9, 0, 0, 0].map(Math.fround))
    expect([...similar]).toEqual(zeros)
    expect([...broken]).toEqual(zeros)
    expect(hasReferences).toBe(false)
  })
})

describe('a work that is named as an example', () => {
  const { similar, broken, title, hasReferences } = fit([rowsReading('like', 0)])

  it('breaks with its franchise and no other work', () => {
    expect([...broken]).toEqual([1, 1, 0, 0, 0, 0])
    expect([...title]).toEqual(zeros)
    expect(hasReferences).toBe(true)
  })

  it('has similar works, but not itself; what stands for its franchise comes first', () => {
    expect(similar[0]).toBe(0)
    expect(similar[2]).toBeCloseTo(0.75, 5)
    expect(similar[3]).toBeCloseTo(0.6, 5)
    expect([similar[4], similar[5]]).toEqual([0, 0])
  })

  it('shares with another that is named', () => {
    const both = fit([rowsReading('like', 0), rowsReading('like', 4)])
    expect(both.similar[2]).toBeCloseTo(0.375, 5)
    expect(both.similar[4]).toBe(0)
  })
})

describe('the makers of a work', () => {
  it('are its studios and its people', () => {
    const { fulfilled, hasReferences } = fit([rowsReading('makers', 0)])
    expect(fulfilled[0]).toBeGreaterThan(0)
    expect(fulfilled[3]).toBeGreaterThan(0)
    expect(fulfilled[4]).toBeGreaterThan(0)
    expect([fulfilled[1], fulfilled[2], fulfilled[5]]).toEqual([0, 0, 0])
    expect(hasReferences).toBe(false)
  })

  it('are asked for other works: the work itself and its franchise go behind', () => {
    expect([...fit([rowsReading('makers', 0)]).broken]).toEqual([1, 1, 0, 0, 0, 0])
  })

  it('wish for nothing where nobody knows them', () => {
    expect([...fit([rowsReading('makers', 5)]).fulfilled]).toEqual(zeros)
  })
})

describe('no reading', () => {
  it.each(['', 'giant robots'])('fits nothing, and %j is compared with texts', (text) => {
    const { title, fulfilled, broken, similar, hasText, explained } = fit([], text)
    for (const values of [title, fulfilled, broken, similar]) expect([...values]).toEqual(zeros)
    expect([hasText, explained]).toEqual([true, 0.5])
  })
})

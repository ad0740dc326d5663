/** Which works are like a work, and whose texts are worth comparing with its texts. */
import { describe, expect, it } from 'vitest'
import { createSimilarWorks } from '#synoptic/search/facts/similar-works.js'
import { likenessTo, rowsToCompare } from '#synoptic/search/knowledge/likeness.js'
import { maskOf, rowsOf } from '#synoptic/base/util/row-mask.js'
import { factsOf, unknown, work } from '../facts/make-facts.js'

const rowCount = 1200

/** Works about cooking, the first 1,100 also about mecha, and one without any data. */
const facts = factsOf([
  ...Array.from({ length: rowCount }, (_, row) =>
    work({ tags: row < 1100 ? { cooking: 3, mecha: 3 } : { cooking: 3 } }),
  ),
  unknown,
])
const similarWorks = createSimilarWorks(facts)

describe('rowsToCompare', () => {
  it('are the thousand that tags say are likest', () => {
    const mask = rowsToCompare(facts, similarWorks, 0, undefined)
    expect(mask && [...rowsOf(mask)]).toEqual(Array.from({ length: 1000 }, (_, row) => row))
  })

  it('are of those that the mask lets pass', () => {
    const rows = Array.from({ length: 1050 }, (_, position) => position + 50)
    const mask = rowsToCompare(facts, similarWorks, 0, maskOf(rowCount + 1, rows))
    expect(mask && [...rowsOf(mask)]).toEqual(rows.slice(0, 1000))
  })

  it('are all where tags tell of fewer, of no work, or nothing of the work', () => {
    const few = maskOf(rowCount + 1, [3, 5])
    expect(rowsToCompare(facts, similarWorks, 0, few)).toBe(few)
    expect(rowsToCompare(facts, similarWorks, rowCount, undefined)).toBeUndefined()
    const untagged = factsOf(Array.from({ length: rowCount }, () => work({ genres: ['Drama'] })))
    expect(rowsToCompare(untagged, createSimilarWorks(untagged), 0, undefined)).toBeUndefined()
  })
})

describe('likenessTo', () => {
  it('counts texts for a tenth next to tags, and for half without them', () => {
    const cosines = new Float32Array(rowCount + 1).fill(NaN)
    cosines[1150] = 1
    const likeness = likenessTo(facts, similarWorks, 0, cosines)
    expect((likeness[1150] ?? 0) - (likeness[1151] ?? 0)).toBeCloseTo(0.1, 5)
    const untagged = factsOf([1, 2, 3].map(() => work({ genres: ['Drama'] })))
    const alike = likenessTo(
      untagged,
      createSimilarWorks(untagged),
      0,
      Float32Array.of(NaN, 1, NaN),
    )
    expect((alike[1] ?? 0) - (alike[2] ?? 0)).toBeCloseTo(0.5, 5)
  })

  it('is more for a recommended work, half as much with a request', () => {
    const alike = { tags: { cooking: 3 } }
    const known = factsOf([
      work({ ...alike, franchise: 'soup', recommended: ['bread', 'no-such'] }),
      work({ ...alike, franchise: 'bread' }),
      work({ ...alike, franchise: 'tea' }),
      work(alike),
    ])
    const similar = createSimilarWorks(known)
    const gain = (replaced: { recommended?: boolean }) => {
      const [, bread = 0, tea = 0, none] = likenessTo(known, similar, 0, undefined, replaced)
      expect(tea).toBe(none)
      return bread - tea
    }
    // Alike by their tags they are 0.9.
    expect(gain({})).toBeCloseTo(0.9 * 0.25 + 0.05, 5)
    expect(gain({ recommended: true })).toBeCloseTo((0.9 * 0.25 + 0.05) / 2, 5)
  })

  it('is above 0 where only a recommendation is shared', () => {
    const known = factsOf([
      work({ tags: { cooking: 3 }, franchise: 'soup', recommended: ['bread'] }),
      work({ tags: { mecha: 3 }, franchise: 'bread' }),
      work({ tags: { mecha: 3 }, franchise: 'tea' }),
    ])
    const likeness = likenessTo(known, createSimilarWorks(known), 0, undefined)
    expect(likeness[1]).toBeCloseTo(0.05, 5)
    expect(likeness[2]).toBe(0)
  })
})

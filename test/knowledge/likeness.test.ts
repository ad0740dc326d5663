/** Which works are like a work, and whose texts are worth comparing with its texts. */
import { describe, expect, it } from 'vitest'
import type { Cosines } from '#synoptic/native/addon/rank-plan.js'
import {
  exampleOf,
  type IgnoredTraits,
  likenessRules,
} from '#synoptic/search/knowledge/likeness.js'
import { rowsToCompare } from '#synoptic/search/knowledge/rows-to-compare.js'
import { maskOf, rowsOf } from '#synoptic/base/util/row-mask.js'
import { unknown, work } from '../facts/make-facts.js'
import { likenessOfAll, rankedCatalogue, type RankedCatalogue } from '../facts/ranked.js'

const rowCount = 1200

/** Works about cooking, the first 1,100 also about mecha, and one without any data. */
const catalogue = rankedCatalogue([
  ...Array.from({ length: rowCount }, (_, row) =>
    work({ tags: row < 1100 ? { cooking: 3, mecha: 3 } : { cooking: 3 } }),
  ),
  unknown,
])
const likenessTo = (
  catalogue: RankedCatalogue,
  row: number,
  cosines?: Cosines,
  ignored?: IgnoredTraits,
) =>
  likenessOfAll(
    catalogue,
    likenessRules(catalogue.facts),
    exampleOf(catalogue.facts, row, cosines, ignored),
  )
const cosinesOf = (rows: number[], ...cosines: number[]): Cosines => ({
  rows: Uint32Array.from(rows),
  cosines: Float32Array.from(cosines),
})

describe('rowsToCompare', () => {
  it('are the thousand that tags say are likest', async () => {
    const mask = await rowsToCompare(catalogue, 0, undefined)
    expect(mask && [...rowsOf(mask)]).toEqual(Array.from({ length: 1000 }, (_, row) => row))
  })

  it('are of those that the mask lets pass', async () => {
    const rows = Array.from({ length: 1050 }, (_, position) => position + 50)
    const mask = await rowsToCompare(catalogue, 0, maskOf(rowCount + 1, rows))
    expect(mask && [...rowsOf(mask)]).toEqual(rows.slice(0, 1000))
  })

  it('are all where tags tell of fewer, of no work, or nothing of the work', async () => {
    const few = maskOf(rowCount + 1, [3, 5])
    expect(await rowsToCompare(catalogue, 0, few)).toBe(few)
    expect(await rowsToCompare(catalogue, rowCount, undefined)).toBeUndefined()
    const untagged = rankedCatalogue(
      Array.from({ length: rowCount }, () => work({ genres: ['Drama'] })),
    )
    expect(await rowsToCompare(untagged, 0, undefined)).toBeUndefined()
  })
})

describe('likenessTo', () => {
  it('counts texts for a tenth next to tags, and for half without them', async () => {
    const likeness = await likenessTo(catalogue, 0, cosinesOf([1150], 1))
    expect((likeness[1150] ?? 0) - (likeness[1151] ?? 0)).toBeCloseTo(0.1, 5)
    const untagged = rankedCatalogue([1, 2, 3].map(() => work({ genres: ['Drama'] })))
    const alike = await likenessTo(untagged, 0, cosinesOf([1], 1))
    expect((alike[1] ?? 0) - (alike[2] ?? 0)).toBeCloseTo(0.5, 5)
  })

  it('is more for a recommended work, half as much with a request', async () => {
    const alike = { tags: { cooking: 3 } }
    const known = rankedCatalogue([
      work({ ...alike, franchise: 'soup', recommended: ['bread', 'no-such'] }),
      work({ ...alike, franchise: 'bread' }),
      work({ ...alike, franchise: 'tea' }),
      work(alike),
    ])
    const gain = async (replaced: { recommended?: boolean }) => {
      const [, bread = 0, tea = 0, none] = await likenessTo(known, 0, undefined, replaced)
      expect(tea).toBe(none)
      return bread - tea
    }
    // Alike by their tags they are 0.9.
    expect(await gain({})).toBeCloseTo(0.9 * 0.25 + 0.05, 5)
    expect(await gain({ recommended: true })).toBeCloseTo((0.9 * 0.25 + 0.05) / 2, 5)
  })

  it('is above 0 where only a recommendation is shared', async () => {
    const known = rankedCatalogue([
      work({ tags: { cooking: 3 }, franchise: 'soup', recommended: ['bread'] }),
      work({ tags: { mecha: 3 }, franchise: 'bread' }),
      work({ tags: { mecha: 3 }, franchise: 'tea' }),
    ])
    const likeness = await likenessTo(known, 0)
    expect(likeness[1]).toBeCloseTo(0.05, 5)
    expect(likeness[2]).toBe(0)
  })
})

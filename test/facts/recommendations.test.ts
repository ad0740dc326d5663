/** What people recommend to those who liked a work. */
import { describe, expect, it } from 'vitest'
import { exampleOf, likenessRules } from '#synoptic/search/knowledge/likeness.js'
import { unknown, work } from './make-facts.js'
import { likenessOfAll, rankedCatalogue } from './ranked.js'

const recommending = (franchise: string, ...recommended: string[]) =>
  work({ franchise, recommended })

/** How much each work of a catalogue is recommended to those who liked the first. */
async function toFirst(...works: Parameters<typeof rankedCatalogue>[0]) {
  const catalogue = rankedCatalogue(works)
  const { facts } = catalogue
  const alone = {
    ...likenessRules(facts),
    ...{
      textShare: 1,
      recommendedShare: 0,
      recommendedWeight: 1,
      eraWeight: 0,
      popularityWeight: 0,
    },
  }
  const shares = await likenessOfAll(catalogue, alone, exampleOf(facts, 0))
  return Array.from(shares, (share) => Number(share.toFixed(3)))
}

describe('what is recommended', () => {
  it('is higher for the best, and 0 for others', async () => {
    const names = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
    const others = names.map((name) => work({ franchise: name }))
    const [own, ...shares] = await toFirst(recommending('a', ...names), ...others, unknown)
    expect(own).toBe(0)
    expect(shares).toEqual([1, 1, 1, 1, 0.85, 0.85, 0.85, 0.85, 0.7, 0])
  })

  it('counts in turn, for less', async () => {
    expect(await toFirst(recommending('a'), recommending('b', 'a'))).toEqual([0, 0.7])
    expect(await toFirst(recommending('a', 'b'), recommending('b', 'a'))).toEqual([0, 1])
  })

  it('counts for all works of a franchise, in any spelling of its key', async () => {
    const film = work({ franchise: 'Bread and Tea' })
    const series = work({ franchise: 'bread-and-tea' })
    expect(await toFirst(recommending('a', 'bread_and-tea'), film, series)).toEqual([0, 1, 1])
  })

  it('counts what a third work recommends together with it, the less the more it recommends', async () => {
    const [first, second, third] = [recommending('a'), recommending('b'), recommending('c')]
    const both = await toFirst(first, second, recommending('list', 'a', 'b'), third)
    expect(both[1]).toBe(1)
    expect(both[3]).toBe(0)
    const one = await toFirst(
      first,
      second,
      recommending('list', 'a', 'b'),
      recommending('other', 'b'),
    )
    expect(one[1]).toBeGreaterThan(0)
    expect(one[1]).toBeLessThan(1)
  })

  it('is nothing for a work without a franchise, and of franchises that nobody has', async () => {
    expect(await toFirst(work({ recommended: ['b'] }), work({ franchise: 'b' }))).toEqual([0, 0])
    expect(await toFirst(recommending('a', 'gone', 'a'), work({ franchise: 'b' }))).toEqual([0, 0])
  })
})

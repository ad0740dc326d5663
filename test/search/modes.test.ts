/** The orders of the modes: each total, the same for every page, and what a filter leaves of it. */
import { describe, expect, it } from 'vitest'
import type { DescriptionQuery } from '#synoptic/search/service/service.js'
import { fits } from './array-catalogue.js'
import { createWorld, model } from './world.js'

const world = createWorld()
const ask = (changes: Partial<DescriptionQuery> = {}): DescriptionQuery => ({
  dataset: 'anime',
  model,
  description: 'a robot goes to school in the rain',
  page: 1,
  resultsPerPage: 100,
  ...changes,
})
const idOf = ({ row }: { row: number }) => world.catalogue.entry('anime', row).id
const search = async (changes: Partial<DescriptionQuery>) => {
  const { results, pagination } = await world.search.similar(ask(changes))
  return { results, pagination, ids: results.map(idOf) }
}
const filters = [{}, { types: ['tv'] }, { genres: { any: ['Action'] }, yearFrom: 1990 }] as const
const modes = ['semantic', 'lexical', 'hybrid'] as const
const cases = modes.flatMap((mode) => filters.map((filter) => [mode, filter] as const))

describe.each(cases)('%s with the filter %j', (mode, filter) => {
  it('is cut into pages that lose nothing and repeat nothing', async () => {
    const whole = await search({ mode, filter })
    expect(whole.pagination.totalResults).toBe(whole.ids.length)
    expect(new Set(whole.ids).size).toBe(whole.ids.length)
    const paged: number[] = []
    for (let page = 1; page <= Math.ceil(whole.ids.length / 4) + 1; page += 1) {
      const part = await search({ mode, filter, page, resultsPerPage: 4 })
      expect(part.pagination.totalResults).toBe(whole.ids.length)
      expect(part.results.map(({ rank }) => rank)).toEqual(
        part.ids.map((_, position) => (page - 1) * 4 + position + 1),
      )
      paged.push(...part.ids)
    }
    expect(paged).toEqual(whole.ids)
  })

  it('is the order of all entries without those that do not fit', async () => {
    // Fused places shift when others leave their lists.
    const wide = await search({ mode })
    const narrow = await search({ mode, filter })
    const fitting = world.content.anime.works.filter((work) => fits(work, filter))
    const ids = new Set(fitting.map(({ id }) => id))
    const rest = wide.ids.filter((id) => ids.has(id))
    if (mode === 'hybrid') expect([...narrow.ids].sort()).toEqual([...rest].sort())
    else expect(narrow.ids).toEqual(rest)
  })
})

describe('hybrid', () => {
  it('adds the reciprocal ranks of both lists', async () => {
    const semantic = await search({ mode: 'semantic' })
    const lexical = await search({ mode: 'lexical' })
    const rowOf = (id: number) => world.catalogue.rowOfId('anime', id) ?? 0
    const scoreIn = (ids: readonly number[], id: number) =>
      ids.includes(id) ? 1 / (61 + ids.indexOf(id)) : 0
    const expected = [...new Set([...semantic.ids, ...lexical.ids])]
      .map((id) => ({ id, score: scoreIn(semantic.ids, id) + scoreIn(lexical.ids, id) }))
      .sort((one, other) => other.score - one.score || rowOf(one.id) - rowOf(other.id))
    const hybrid = await search({ mode: 'hybrid' })
    expect(hybrid.ids).toEqual(expected.map(({ id }) => id))
    hybrid.results.forEach(({ explain, similarity }, position) => {
      expect(explain?.fused).toBeCloseTo(expected[position]?.score ?? 0, 14)
      expect(explain?.semantic?.score ?? null).toBe(similarity)
    })
  })

  it('answers by words alone what the model has no token of', async () => {
    const { results } = await search({ mode: 'hybrid', description: '12 34' })
    expect(results).toEqual([])
  })
})

describe('lexical', () => {
  it('uses neither the model nor its vectors', async () => {
    const { search, encoder, indexes } = createWorld()
    encoder.encode = () => Promise.reject(new Error('not to be used'))
    const { results, meta, timings } = await search.similar(ask({ mode: 'lexical' }))
    expect(results.length).toBeGreaterThan(0)
    expect(meta).toMatchObject({ mode: 'lexical', device: 'cpu' })
    expect(timings).toMatchObject({ inferMs: 0 })
    expect(indexes).toEqual([])
  })

  it('finds nothing without a word that any text has', async () => {
    const { results, pagination } = await search({ mode: 'lexical', description: '"NEAR* OR (' })
    expect(results).toEqual([])
    expect(pagination.totalResults).toBe(0)
  })
})

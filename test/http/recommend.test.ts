/** POST /recommend and POST /ids with the built-in encoder, and the options of /search. */
import { createEntryJson } from '#synoptic/server/http/entry-json.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { row } from '../catalogue/shelf.js'
import { openLibrary } from '../search/library.js'
import { createTestApp, type TestApp } from './harness.js'

const boxing = { tags: { boxing: 3, rivalry: 2 } }
const cooking = { tags: { cooking: 3, restaurant: 2 } }
const rows = [
  row(1, { type: 'tv', texts: ['A boxer trains.'], facts: { ...boxing, franchise: 'punch' } }),
  row(2, { type: 'tv', texts: ['The boxer returns.'], facts: { ...boxing, franchise: 'punch' } }),
  row(3, {
    type: 'tv',
    year: 2001,
    texts: ['A shy boy enters the ring.'],
    facts: boxing,
    metadata: { malId: 33, anilistId: 333, titleEnglish: 'Ring' },
  }),
  row(4, { type: 'movie', year: 2010, texts: ['A last fight.'], facts: boxing, score: 8 }),
  row(5, { type: 'tv', year: 2005, texts: ['A chef opens a shop.'], facts: cooking, score: 9 }),
  row(6, { type: 'movie', texts: ['A cook travels.'], facts: cooking, metadata: { malId: 66 } }),
  row(7, { type: 'tv', texts: ['Snow.'], facts: { tags: { snow: 3 } } }),
]

interface Found {
  readonly results: readonly {
    readonly id: number
    readonly score: number
    readonly because: readonly object[]
  }[]
  readonly pagination: { readonly totalResults: number }
  readonly facets?: { readonly types: readonly object[] }
  readonly warnings?: readonly string[]
}

let app: TestApp
beforeAll(async () => {
  const { search } = await openLibrary([{ name: 'anime', columns: ['synopsis'], rows }])
  const { similar, ranked: rankedSearch, recommend, browse } = search
  const entries = createEntryJson(search.catalogue)
  const models = [builtinModel]
  app = createTestApp({}, { search: similar, rankedSearch, recommend, browse, entries, models })
})

const post = (path: string, body: object) =>
  app.app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
async function recommend(body: object, query = ''): Promise<Found> {
  const response = await post(`/recommend/anime${query}`, body)
  expect(response.status).toBe(200)
  return (await response.json()) as Found
}
const idsOf = ({ results }: Pick<Found, 'results'>) => results.map(({ id }) => id)

describe('POST /recommend', () => {
  it('finds works like the liked ones, without them, their franchises and what was seen', async () => {
    const found = await recommend({ liked: [{ id: 1 }] })
    expect(idsOf(found).slice(0, 2).toSorted()).toEqual([3, 4])
    expect(idsOf(found)).not.toContain(2)
    expect(found.results[0]?.because).toEqual([{ id: 1, title: expect.any(String) as string }])
    expect(idsOf(await recommend({ liked: [{ id: 1 }], seen: [3] }))).not.toContain(3)
  })

  it('lowers works like the disliked ones', async () => {
    const liked = [{ id: 1 }, { id: 5 }]
    const scoreOf = ({ results }: Found) => results.find(({ id }) => id === 4)?.score ?? NaN
    const before = scoreOf(await recommend({ liked, seen: [3] }))
    const found = await recommend({ liked, disliked: [{ id: 3 }] })
    expect(idsOf(found)).not.toContain(3)
    expect(idsOf(found)[0]).toBe(6)
    expect(scoreOf(found)).toBeLessThan(before)
  })

  it('weighs the liked ones', async () => {
    const heavy = {
      liked: [
        { id: 1, weight: 0.1 },
        { id: 5, weight: 10 },
      ],
    }
    expect(idsOf(await recommend(heavy))[0]).toBe(6)
  })

  it('takes a text, filters, an order and counts, too', async () => {
    expect(idsOf(await recommend({ liked: [{ id: 1 }], query: 'a last fight' }))[0]).toBe(4)
    expect(idsOf(await recommend({ liked: [{ id: 1 }], type: 'movie' }))[0]).toBe(4)
    expect(idsOf(await recommend({ liked: [{ id: 1 }, { id: 6 }], sort: 'rating' }))[0]).toBe(5)
    const { facets } = await recommend({ liked: [{ id: 1 }], facets: true, num_results: 1 })
    expect(facets?.types).toContainEqual(expect.objectContaining({ value: 'movie' }))
  })

  it('says which works it does not know', async () => {
    const { warnings } = await recommend({ liked: [{ id: 1 }, { id: 999 }] })
    expect(warnings).toEqual(['1 of 2 liked and disliked works are not in this catalogue.'])
  })

  it.each([
    [{}, 'liked'],
    [{ liked: [{ id: 1, weight: 11 }] }, 'liked.0.weight'],
    [{ liked: [{ id: 'x' }] }, 'liked.0.id'],
    [{ liked: [{ id: 1 }], seen: ['x'] }, 'seen.0'],
  ])('refuses %j', async (body, path) => {
    const response = await post('/recommend/anime', body)
    expect(response.status).toBe(400)
    const { errors } = (await response.json()) as ProblemBody
    expect(errors.map((error) => error.path)).toContain(path)
  })
})

describe('POST /ids', () => {
  it.each([
    [
      'mal',
      [66, 1, 33],
      [
        { siteId: 66, id: 6 },
        { siteId: 33, id: 3 },
      ],
    ],
    ['anilist', [333], [{ siteId: 333, id: 3 }]],
  ])('finds entries by ids of %s', async (site, ids, works) => {
    const response = await post('/ids/anime', { site, ids })
    expect(await response.json()).toEqual({ works })
  })

  it('refuses other sites', async () => {
    expect((await post('/ids/anime', { site: 'imdb', ids: [1] })).status).toBe(400)
  })
})

describe('POST /search', () => {
  const search = async (body: object, query = '') => {
    const response = await post(`/search/anime${query}`, body)
    expect(response.status).toBe(200)
    return (await response.json()) as Found & { results: { title: string }[] }
  }

  it('leaves out what a request excludes', async () => {
    const query = 'a shy boy enters the ring'
    expect(idsOf(await search({ query }))[0]).toBe(3)
    expect(idsOf(await search({ query, exclude: [3] }))).not.toContain(3)
  })

  it('has titles in a language', async () => {
    const { results } = await search({ query: 'a shy boy enters the ring' }, '?titles=english')
    expect(results[0]?.title).toBe('Ring')
  })

  it.each([
    ['year', 4],
    ['rating', 5],
  ])('sorts by %s', async (sort, first) => {
    expect(idsOf(await search({ query: 'fights and food', sort }))[0]).toBe(first)
  })
})

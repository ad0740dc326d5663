/** GET /similar over the encoder that ships: tags, franchises and filters. */
import { createEntryJson } from '#synoptic/server/http/entry-json.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import type { SearchJson } from '#synoptic/server/schemas/search-body.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { row } from '../catalogue/shelf.js'
import { openLibrary } from '../search/library.js'
import { createTestApp, type TestApp } from './harness.js'

const boxing = { tags: { boxing: 3, rivalry: 2, training: 2 } }
const punch = { franchise: 'punch' }
const text = 'A shy boxer trains every night to meet his rival in the ring.'
const rows = [
  row(1, { type: 'tv', year: 2001, texts: [text], facts: { ...boxing, ...punch } }),
  row(2, { type: 'tv', year: 2003, texts: [text], facts: { ...boxing, ...punch } }),
  // Its text is about something else; its tags are the same.
  row(3, {
    type: 'movie',
    year: 2001,
    score: 8,
    genres: ['Sports'],
    facts: boxing,
    texts: ['Two sisters paint a house by the sea.'],
  }),
  row(4, {
    type: 'tv',
    year: 2001,
    score: 6,
    genres: ['Drama'],
    facts: { tags: { cooking: 3 } },
    texts: ['A boxer trains at night to meet a rival in a ring.'],
  }),
  row(5, { type: 'tv', year: 1980, texts: [null], facts: boxing, genres: ['Sports'] }),
  row(6, { type: 'tv', texts: ['Snow falls on the empty station.'] }),
  row(7, { texts: [null] }),
]

let app: TestApp
beforeAll(async () => {
  const { search } = await openLibrary([{ name: 'anime', columns: ['synopsis'], rows }])
  app = createTestApp(
    {},
    { search: search.similar, entries: createEntryJson(search.catalogue), models: [builtinModel] },
  )
})

async function similar(query = '', id = 1): Promise<SearchJson> {
  const response = await app.app.request(`/similar/anime/${id}?${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as SearchJson
}
const idsOf = ({ results }: SearchJson) => results.map(({ id }) => id)

describe('the order', () => {
  it('comes from tags before texts, and has what only one of both compares', async () => {
    const answer = await similar()
    expect(idsOf(answer)).toEqual([5, 3, 4, 6])
    expect(answer.results[0]).toMatchObject({ id: 5, similarity: null })
  })

  it('leaves out the own franchise unless it is requested', async () => {
    expect(idsOf(await similar())).not.toContain(2)
    expect(idsOf(await similar('sameFranchise=true'))[0]).toBe(2)
  })

  it('is empty where nothing is known of the entry', async () => {
    expect(idsOf(await similar('', 7))).toEqual([])
  })
})

describe('filters', () => {
  it.each([
    ['type=movie', [3]],
    ['type=movie&type=tv', [5, 3, 4, 6]],
    ['genres=sports', [5, 3]],
    ['genres=Sports&genres=Drama', []],
    ['yearFrom=2000&yearTo=2001', [3, 4]],
    ['minScore=7.5', [3]],
  ])('%s', async (query, expected) => {
    expect(idsOf(await similar(query))).toEqual(expected)
  })

  it.each([
    ['sameFranchise=maybe', 'sameFranchise'],
    ['yearFrom=abc', 'yearFrom'],
    ['yearFrom=2000&yearTo=1999', 'yearFrom'],
    ['yearTo=0', 'yearTo'],
    ['minScore=', 'minScore'],
    ['minScore=11', 'minScore'],
    ['minScore=1&minScore=2', 'minScore'],
    ['genres=', 'genres'],
    [`type=${'x'.repeat(101)}`, 'type'],
    [new Array<string>(51).fill('genres=a').join('&'), 'genres'],
    ['adult=perhaps', 'adult'],
  ])('refuses %s', async (query, path) => {
    const response = await app.app.request(`/similar/anime/1?${query}`)
    expect(response.status).toBe(400)
    const { errors } = (await response.json()) as ProblemBody
    expect(errors.map((error) => error.path)).toContain(path)
  })
})

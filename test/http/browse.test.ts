import { describe, expect, it } from 'vitest'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import { createBrowse } from '#synoptic/search/browse/browse.js'
import { createKnowledge } from '#synoptic/search/knowledge/dataset-knowledge.js'
import { ArrayCatalogue } from '../search/array-catalogue.js'
import { createTestApp } from './harness.js'

const test = createTestApp()
const get = (path: string) => test.app.request(path)
const [first] = test.world.content.anime.works
const read = async (path: string) => (await (await get(path)).json()) as Record<string, unknown>

describe('GET /titles', () => {
  it('completes a title of the dataset', async () => {
    const prefix = first?.title.slice(0, 1) ?? ''
    const { titles } = await read(`/titles/anime?prefix=${prefix}&limit=3`)
    expect(titles).toHaveLength(3)
    expect((titles as object[])[0]).toMatchObject({ kind: 'main' })
  })

  it.each([
    ['', /^prefix: required$/],
    ['prefix=', /^prefix: must be 1 to 200 characters; it is empty$/],
    ['prefix=%20%09', /^prefix: must be 1 to 200 characters; it is empty$/],
    [`prefix=${'x'.repeat(201)}`, /^prefix: must be 1 to 200 characters; it has 201$/],
    ['prefix=a&prefix=b', /^prefix: expected text, received an array$/],
    ['prefix=a&limit=0', /^limit: expected an integer from 1 to 50, received 0$/],
    ['prefix=a&limit=51', /^limit: expected an integer from 1 to 50/],
    ['prefix=a&limit=two', /^limit: expected an integer from 1 to 50, received "two"$/],
    ['prefix=a&adult=maybe', /^adult: expected true, false, 1 or 0, received "maybe"$/],
  ])('answers 400 for %s', async (query, message) => {
    const response = await get(`/titles/anime?${query}`)
    expect(response.status).toBe(400)
    expect(((await response.json()) as ProblemBody).detail).toMatch(message)
  })
})

describe('GET /entries', () => {
  it('shows an entry with its texts by column', async () => {
    const entry = await read('/entries/anime/1000')
    expect(entry).toMatchObject({ id: 1000, title: first?.title, tags: [], episodes: 0 })
    expect(Object.values(entry.texts as object)).toEqual(first?.texts.filter((text) => text))
  })

  it.each([
    '/entries/anime/1001',
    '/entries/anime/-1',
    '/entries/anime/abc',
    '/entries/anime/1.5',
    '/entries/anime/99999999999999999999',
    '/entries/novels/1000',
    '/facets/novels',
    '/titles/novels?prefix=a',
  ])('answers 404 for %s', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(((await response.json()) as ProblemBody).type).toBe('urn:synoptic:problem:not-found')
  })

  it('answers 405 for the path that only takes changes', async () => {
    const response = await get('/entries/anime')
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('PUT, OPTIONS')
  })
})

describe('GET /entries of a work with much data', () => {
  const known = {
    titleJapanese: '蟲師',
    malId: 457,
    anilistId: 457,
    director: 'H. N.',
    links: [
      { site: 'Where to watch', url: 'https://watch.example/457' },
      { site: 'Script', url: 'javascript:alert(1)' },
    ],
    // Members that an entry has of its own.
    title: 'wrong',
    texts: 'wrong',
    id: 'wrong',
  }
  const facts = {
    studios: ['Artland'],
    tags: { calm: 1, 'time-loop': 3, unheard: 2 },
    franchise: 'mushishi',
    relation: 'main',
  }
  const common = { type: 'tv', genres: [], score: 8.7, texts: ['A man wanders.'] }
  const works = [
    {
      ...common,
      id: 7,
      title: 'Mushishi 2',
      year: 2014,
      metadata: known,
      facts: { ...facts, relation: 'sequel' },
    },
    { ...common, id: 3, title: 'Mushishi', year: 2005, metadata: known, facts },
  ]
  const catalogue = new ArrayCatalogue({ anime: { columns: ['synopsis'], works } })
  const browse = createBrowse({ catalogue, knowledge: createKnowledge(catalogue) })

  it('returns tags with their meaning, the franchise in order, and links that are safe', async () => {
    const { app } = createTestApp({}, { browse })
    const entry = (await (await app.request('/entries/anime/3')).json()) as Record<string, unknown>
    expect(entry).toMatchObject({
      id: 3,
      title: 'Mushishi',
      year: 2005,
      score: 8.7,
      titleJapanese: '蟲師',
      studios: ['Artland'],
      director: 'H. N.',
      texts: { synopsis: 'A man wanders.' },
      tags: [
        { tag: 'time-loop', name: 'time loop', family: 'theme', weight: 3 },
        { tag: 'unheard', name: 'unheard', family: null, meaning: null, weight: 2 },
        { tag: 'calm', weight: 1 },
      ],
      franchise: [
        { id: 3, title: 'Mushishi', type: 'tv', year: 2005, relation: 'main' },
        { id: 7, title: 'Mushishi 2', type: 'tv', year: 2014, relation: 'sequel' },
      ],
      links: [
        { site: 'MyAnimeList', url: 'https://myanimelist.net/anime/457' },
        { site: 'AniList', url: 'https://anilist.co/anime/457' },
        { site: 'Where to watch', url: 'https://watch.example/457' },
      ],
    })
    expect((entry.tags as { meaning: string }[])[0]?.meaning).toMatch(/\w/)
  })
})

describe('GET /facets', () => {
  it('counts the values of the dataset', async () => {
    const { types, years } = await read('/facets/manga')
    const counts = (types as { count: number }[]).map(({ count }) => count)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(23)
    expect(years).toEqual({ from: 1981, to: 2002 })
  })
})

describe('the group browse', () => {
  const paths = ['/titles/anime?prefix=a', '/entries/anime/1000', '/facets/anime']

  it.each(paths)(
    '%s is read, not written, and counted by the rate limit of its group',
    async (path) => {
      expect((await test.app.request(path, { method: 'POST' })).status).toBe(405)
      const slow = createTestApp({ rateLimit: { browse: 1 }, rateBurst: 1 })
      expect((await slow.app.request(path)).status).toBe(200)
      const refused = await slow.app.request(path)
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    },
  )

  it('can be left out, and is refused while the server is full', async () => {
    const without = createTestApp({ enableRoutes: ['search'] }).app
    const full = createTestApp({ limitConcurrency: 0 }).app
    for (const path of paths) {
      expect((await without.request(path)).status).toBe(404)
      expect((await full.request(path)).status).toBe(503)
    }
  })
})

import { describe, expect, it } from 'vitest'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import type { RankedAnswer } from '#synoptic/search/service/ranked-search.js'
import { createWorld } from '../search/world.js'
import { row } from '../catalogue/shelf.js'
import { createTestApp, post } from './harness.js'
import { WordRanker } from './word-ranker.js'

const question = { query: 'a robot goes to school in the rain' }
const { catalogue } = createWorld()
const ranker = new WordRanker(catalogue)
const test = createTestApp({}, { rankedSearch: ranker })

interface Answer {
  readonly results: readonly { id: number; synopsis: string }[]
  readonly entries_total: number
}

describe('light novels', () => {
  const typesOf = (dataset: 'anime' | 'manga', ids: readonly number[]) => {
    const { rows = 0 } = catalogue.dataset(dataset) ?? {}
    const entries = Array.from({ length: rows }, (_, row) => catalogue.entry(dataset, row))
    return ids.map((id) => entries.find((entry) => entry.id === id)?.type)
  }
  const manga = async (query: string) => {
    const response = await post(test, `/search/manga${query}`, { query: 'robot', num_results: 100 })
    const { results, entries_total: total } = (await response.json()) as Answer
    return {
      total,
      types: typesOf(
        'manga',
        results.map(({ id }) => id),
      ),
    }
  }

  it('are left out unless requested', async () => {
    const without = await manga('')
    const included = await manga('?include_light_novels=1')
    expect(without.types).not.toContain('light_novel')
    expect(included.types).toContain('light_novel')
    expect(included.total).toBeGreaterThan(without.total)
  })
})

describe('a synopsis', () => {
  const shown = async (synopsis: string) => {
    const answer: RankedAnswer = {
      results: [
        {
          id: 1,
          title: 'x',
          score: 0.5,
          synopsis,
          column: 'synopsis',
          popularityRank: null,
          entry: row(1),
        },
      ],
      pagination: {
        page: 1,
        resultsPerPage: 5,
        totalResults: 1,
        totalPages: 1,
        reachableResults: 1,
      },
      deviceUsed: 'cpu',
      candidatesScored: 1,
      entriesTotal: 1,
      warnings: [],
      timings: { rankMs: 1, rerankMs: 2, hydrateMs: 0.5, totalMs: 4 },
    }
    const rankedSearch = {
      ranked: () => Promise.resolve(answer),
      rankedEach: () => Promise.resolve([answer]),
    }
    const response = await post(createTestApp({}, { rankedSearch }), '/search/anime', question)
    return ((await response.json()) as Answer).results[0]?.synopsis
  }

  it.each([
    ['nothing', '', ''],
    ['500 characters', 'x'.repeat(500), 'x'.repeat(500)],
    ['501 characters', 'x'.repeat(501), `${'x'.repeat(500)}…`],
    ['500 emoji', '😀'.repeat(500), '😀'.repeat(500)],
    ['501 emoji', '😀'.repeat(501), `${'😀'.repeat(500)}…`],
    ['a pair at the cut', `${'x'.repeat(499)}😀y`, `${'x'.repeat(499)}😀…`],
  ])('of %s', async (_, synopsis, expected) => {
    expect(await shown(synopsis)).toBe(expected)
  })
})

describe('the guards', () => {
  it('refuse a request without a free slot, and free slots again', async () => {
    const slow = new WordRanker(catalogue)
    let release = (): void => undefined
    slow.hold = new Promise((resolve) => (release = resolve))
    const crowded = createTestApp({ limitConcurrency: 1 }, { rankedSearch: slow })
    const first = post(crowded, '/search/anime', question)
    const second = await post(crowded, '/search/anime', question)
    expect(second.status).toBe(503)
    expect(second.headers.get('retry-after')).toBe('1')
    release()
    expect((await first).status).toBe(200)
    expect((await post(crowded, '/search/anime', question)).status).toBe(200)
  })

  it('give up what takes too long', async () => {
    const stuck = new WordRanker(catalogue)
    stuck.hold = new Promise(() => undefined)
    const impatient = createTestApp({ requestTimeout: 0.1 }, { rankedSearch: stuck })
    const response = await post(impatient, '/search/anime', question)
    expect(response.status).toBe(503)
    const { type } = (await response.json()) as ProblemBody
    expect(type).toBe('urn:synoptic:problem:deadline-exceeded')
  })

  it('set no rate limit of their own', async () => {
    const limited = createTestApp(
      { rateLimit: { searchmodel: 1 }, rateBurst: 1 },
      { rankedSearch: ranker },
    )
    for (let i = 0; i < 5; i++) {
      expect((await post(limited, '/search/anime', question)).status).toBe(200)
    }
  })

  it('let other origins call', async () => {
    const open = createTestApp({ corsOrigins: ['*'] }, { rankedSearch: ranker })
    const response = await post(open, '/search/anime', question, { origin: 'https://a.example' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('leave no text of the query in the log', async () => {
    const quiet = createTestApp({}, { rankedSearch: ranker })
    await post(quiet, '/search/anime?model_name=topsecret', { query: 'topsecret' })
    expect(quiet.log).not.toHaveLength(0)
    expect(JSON.stringify(quiet.log)).not.toContain('topsecret')
  })

  it('serve it as the group search', async () => {
    const without = createTestApp({ enableRoutes: ['health'] }, { rankedSearch: ranker })
    expect((await post(without, '/search/anime', question)).status).toBe(404)
    const only = createTestApp({ enableRoutes: ['search'] }, { rankedSearch: ranker })
    expect((await post(only, '/search/anime', question)).status).toBe(200)
    expect((await only.app.request('/')).status).toBe(404)
  })
})

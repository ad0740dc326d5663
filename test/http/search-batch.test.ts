/** Several queries in one request to /search, over sockets and the real rankers. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { model } from '../search/world.js'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import type { HttpServer } from '#synoptic/server/http/server.js'
import type { ServerSettings } from '#synoptic/base/config/settings.js'
import { row } from '../catalogue/shelf.js'
import { fixtures } from '../encoders/cross-models.js'
import { type Library, openLibrary } from '../search/library.js'
import { send, withServer, type Received, type TestApp } from './harness.js'

const stories = [
  ['Notebook', 'A student finds a book that kills whoever is named in it.'],
  ['Carpets', 'Two weavers quarrel about the pattern of a carpet.'],
  ['Kettle', 'A kettle is reborn as a knight who sings.'],
  ['Lighthouse', 'A keeper counts the ships that pass in the fog.'],
] as const
const rows = stories.map(([title, text], id) =>
  row(id + 1, { title, texts: [text], year: 2000 + id }),
)
const queries = [
  'whoever is written in this notebook dies',
  'an argument over rugs',
  'a man watches the boats from a tower, not Carpets',
  'like Kettle',
  // More than share a scan.
  ...Array.from({ length: 16 }, (_, i) => `a story of ${i + 2000}, number ${i}`),
]

interface Answer {
  readonly results: readonly Record<string, unknown>[]
  readonly pagination?: object
  readonly execution_time_ms: number
  readonly error?: { readonly path: string; readonly message: string }
}

let library: Library
beforeAll(async () => {
  library = await openLibrary([{ name: 'anime', columns: ['synopsis'], rows }])
  cpSync(join(fixtures, 'bert'), join(library.settings.modelsDir, 'fine-tuned/mine'), {
    recursive: true,
  })
})

const serve = (
  changes: Partial<ServerSettings>,
  task: (server: HttpServer & TestApp) => Promise<void>,
) => withServer(changes, task, { rankedSearch: library.search.ranked })

const ask = (server: HttpServer, body: unknown, parameters = '') =>
  send(server, {
    method: 'POST',
    path: `/search/anime${parameters}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

function answersOf({ status, body }: Received): Answer[] {
  expect(status, body).toBe(200)
  return (JSON.parse(body) as { answers: Answer[] }).answers
}

describe('queries', () => {
  it.each([
    ['by default', {}, ''],
    ['with pages and fields', { page: 2, num_results: 2, fields: ['year', 'links', 'column'] }, ''],
    ['grouped and explained', { group: 'franchise', explain: true, fields: 'all' }, ''],
    ['uninterpreted, by a cross-encoder', { interpret: false }, '?model_name=mine'],
    ['of every entry', { yearFrom: 2001 }, '?candidates=all'],
  ])('are answered in order, each as alone: %s', (_, options, parameters) =>
    serve({}, async (server) => {
      const alone: Answer[] = []
      for (const query of queries) {
        const { status, body } = await ask(server, { ...options, query }, parameters)
        expect(status).toBe(200)
        alone.push(JSON.parse(body) as Answer)
      }
      const response = await ask(server, { ...options, queries }, parameters)
      const answers = answersOf(response)
      const untimed = (answer: Answer) => ({ ...answer, execution_time_ms: 0 })
      expect(answers.map(untimed)).toEqual(alone.map(untimed))
      expect(response.headers['server-timing']).toMatch(/rerank;dur=[\d.]+/)
      expect('pagination' in (answers[0] ?? {})).toBe('page' in options)
    }),
  )

  it('may be 64, and fail one by one', () =>
    serve({}, async (server) => {
      const many = Array.from({ length: 64 }, (_, i) => (i % 10 === 3 ? ' ' : `a ship ${i}`))
      const answers = answersOf(await ask(server, { queries: many, num_results: 1 }))
      expect(answers).toHaveLength(64)
      answers.forEach(({ error, results }, i) => {
        if (i % 10 !== 3) expect(results).toHaveLength(1)
        else expect(error?.path).toBe(`queries.${i}`)
      })
      expect(answers[3]?.error?.message).toBe('must be 1 to 2,000 characters; it is empty')
    }))

  it('without a word that the model knows have an answer, as alone', () =>
    serve({}, async (server) => {
      const [one, none] = answersOf(await ask(server, { queries: ['a ship', '¤ ¤'] }))
      expect(one?.results.length).toBeGreaterThan(0)
      expect(none?.error).toBeUndefined()
    }))

  it.each([
    ['both members', { query: 'x', queries }, 'queries', 'received both'],
    ['neither', {}, 'query', 'required'],
    ['none', { queries: [] }, 'queries', '1 to 64 texts, received 0'],
    ['65', { queries: Array(65).fill('x') }, 'queries', '1 to 64 texts, received 65'],
    ['an object', { queries: {} }, 'queries', '1 to 64 texts, received an object'],
    ['a number', { queries: [1] }, 'queries.0', 'expected text, received 1'],
    ['null', { queries: ['x', null] }, 'queries.1', 'expected text, received null'],
    ['spans', { queries, ignore: [[0, 1]] }, 'ignore', 'expected with query alone'],
    ['a field', { queries, fields: ['covers'] }, 'fields', 'expected all, or a list of'],
  ])('are refused whole: %s', (_, body, path, message) =>
    serve({}, async (server) => {
      const response = await ask(server, body)
      expect(response.status).toBe(400)
      const { errors } = JSON.parse(response.body) as ProblemBody
      expect(errors).toEqual([{ path, message: expect.stringContaining(message) as string }])
    }),
  )

  it('fail together where the search does', () =>
    serve({}, async (server) => {
      const missing = await ask(server, { queries }, '?model_name=nobody')
      expect(missing.status).toBe(400)
      const manga = await send(server, {
        method: 'POST',
        path: '/search/manga',
        body: JSON.stringify({ queries }),
        headers: { 'content-type': 'application/json' },
      })
      expect(manga.status).toBe(500)
    }))

  it('count one by one for the rate limit of /search', () =>
    serve({ rateLimitLoopback: true, rateLimit: { search: 1 }, rateBurst: 6 }, async (server) => {
      const four = { queries: queries.slice(0, 4) }
      const first = await ask(server, four)
      expect(first.headers.ratelimit).toContain('remaining=2')
      const refused = await ask(server, four)
      expect([refused.status, refused.headers.ratelimit]).toEqual([
        429,
        expect.stringContaining('remaining=1'),
      ])
      expect((await ask(server, { query: 'a ship' })).status).toBe(200)
      const other = { model, description: 'tea' }
      const similar = await send(server, {
        method: 'POST',
        path: '/searchmodel/anime',
        body: JSON.stringify(other),
        headers: { 'content-type': 'application/json' },
      })
      expect(similar.headers.ratelimit).toBeUndefined()
    }))

  it('stop with their client', () =>
    serve({ requestTimeout: 30 }, async (server) => {
      const body = JSON.stringify({ queries: Array(64).fill('a ship') })
      const headers = { 'content-type': 'application/json', 'x-envoy-expected-rq-timeout-ms': '1' }
      const { status } = await send(server, {
        method: 'POST',
        path: '/search/anime?candidates=all&model_name=mine',
        headers,
        body,
      })
      expect(status).toBe(503)
    }))
})

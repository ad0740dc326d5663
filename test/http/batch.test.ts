/** Several descriptions in one request to /searchmodel, over sockets: one batch, one scan, an answer for each. */
import { describe, expect, it } from 'vitest'
import { EncoderError } from '#synoptic/base/errors/index.js'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import type { SearchJson } from '#synoptic/server/schemas/search-body.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { serverSettings, type ServerSettings } from '#synoptic/base/config/settings.js'
import { createWorld, model } from '../search/world.js'
import { send, withServer, type Received, type TestApp } from './harness.js'
import type { HttpServer } from '#synoptic/server/http/server.js'

const descriptions = [
  'a robot goes to school in the rain',
  'a dragon and a knight drink tea',
  'the sea takes back its island',
]

interface Failed {
  readonly error: { readonly path: string; readonly message: string }
}

const ask = (server: HttpServer, body: unknown, headers = {}) =>
  send(server, {
    method: 'POST',
    path: '/searchmodel/anime',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Each has the members of an answer or of a failure. */
type Each = SearchJson & Partial<Failed>

function answersOf({ status, body }: Received): Each[] {
  expect(status, body).toBe(200)
  const parsed = JSON.parse(body) as { answers: Each[] }
  expect(Object.keys(parsed)).toEqual(['answers'])
  return parsed.answers
}

const withoutTimings = ({ results, pagination, meta }: SearchJson) => {
  return { results, pagination, meta: { ...meta, timings: undefined } }
}

const scansOf = ({ world }: TestApp) => world.indexes.flatMap(({ sizes }) => sizes)

describe('descriptions', () => {
  it.each(['semantic', 'lexical', 'hybrid'])(
    'are answered in order, each as alone, in the mode %s',
    (mode) =>
      withServer({}, async (server) => {
        const options = { model, mode, page: 2, resultsPerPage: 3, genres: { none: ['Comedy'] } }
        const alone: SearchJson[] = []
        for (const description of descriptions) {
          const { body } = await ask(server, { ...options, description })
          alone.push(JSON.parse(body) as SearchJson)
        }
        const response = await ask(server, { ...options, descriptions })
        const answers = answersOf(response)
        expect(answers.map(withoutTimings)).toEqual(alone.map(withoutTimings))
        expect(response.headers['server-timing']).toMatch(/scan;dur=[\d.]+/)
        expect(answers[0]?.meta.timings.totalMs).toBeGreaterThan(0)
      }),
  )

  it('are encoded as one batch and share one scan', () =>
    withServer({}, async (server) => {
      const sixtyFour = Array.from({ length: 64 }, (_, i) => `robot ${'tea '.repeat(i)}`)
      const answers = answersOf(await ask(server, { model, descriptions: sixtyFour }))
      expect(answers).toHaveLength(64)
      expect(scansOf(server)).toEqual([64])
      expect(server.world.encoder.encoded).toEqual(sixtyFour.map((text) => text.trim()))
    }))

  it('fail one by one: each has its answer or says what is wrong', () =>
    withServer({}, async (server) => {
      const mixed = [descriptions[0], '  ', 'x'.repeat(2001), '12 34', descriptions[1]]
      const answers = answersOf(await ask(server, { model, descriptions: mixed }))
      expect(answers.map(({ error, results }) => error ?? results.length)).toEqual([
        10,
        { path: 'descriptions.1', message: 'must be 1 to 2,000 characters; it is empty' },
        { path: 'descriptions.2', message: 'must be 1 to 2,000 characters; it has 2,001' },
        { path: 'descriptions.3', message: 'must contain a word that the model knows' },
        10,
      ])
      expect(scansOf(server)).toEqual([2])
      const alone = await ask(server, { model, description: descriptions[1] })
      expect(answers[4]?.results).toEqual((JSON.parse(alone.body) as SearchJson).results)
    }))

  it('that are all wrong need neither model nor scan', () =>
    withServer({}, async (server) => {
      const answers = answersOf(await ask(server, { model, descriptions: ['', ' '] }))
      expect(answers.map(({ error }) => error?.path)).toEqual(['descriptions.0', 'descriptions.1'])
      expect(server.world.encoder.encoded).toEqual([])
    }))

  it('that the model has no vector of fail alone, and the log says why', async () => {
    const world = createWorld()
    const { encoder } = world
    const encode = encoder.encode.bind(encoder)
    encoder.encode = (texts, options) =>
      texts.includes('nan')
        ? Promise.reject(
            new EncoderError(model, 'failed', 'gave no numbers', { texts: [texts.indexOf('nan')] }),
          )
        : encode(texts, options)
    await withServer(
      {},
      async (server) => {
        const answers = answersOf(await ask(server, { model, descriptions: ['tea', 'nan', 'sea'] }))
        expect(answers.map(({ error }) => error?.message)).toEqual([
          undefined,
          'The model failed on this text; the log of the server says why.',
          undefined,
        ])
        expect(JSON.stringify(server.log)).toContain('gave no numbers')
        expect((await ask(server, { model, description: 'nan' })).status).toBe(500)
      },
      { search: world.search },
    )
  })

  it.each([
    ['both members', { description: 'tea', descriptions }, 'descriptions', 'received both'],
    ['neither', {}, 'description', 'required'],
    ['none', { descriptions: [] }, 'descriptions', 'a list of 1 to 64 texts, received 0'],
    ['65', { descriptions: Array(65).fill('tea') }, 'descriptions', '1 to 64 texts, received 65'],
    ['a text', { descriptions: 'tea' }, 'descriptions', '1 to 64 texts, received a string'],
    ['null', { descriptions: null }, 'descriptions', '1 to 64 texts, received null'],
    ['a number', { descriptions: ['tea', 7] }, 'descriptions.1', 'expected text, received 7'],
    ['a list', { descriptions: [['tea']] }, 'descriptions.0', 'expected text, received an array'],
    ['no model', { model: undefined, descriptions }, 'model', 'required'],
    ['a page', { page: 0, descriptions }, 'page', 'expected an integer'],
  ])('are refused whole: %s', (_, change, path, message) =>
    withServer({}, async (server) => {
      const { status, body } = await ask(server, { model, ...change })
      expect(status).toBe(400)
      const { errors } = JSON.parse(body) as ProblemBody
      expect(errors).toEqual([{ path, message: expect.stringContaining(message) as string }])
      expect(server.world.encoder.encoded).toEqual([])
    }),
  )

  it('are refused by size before they are read', () =>
    withServer({ bodyLimit: 100 }, async (server) => {
      expect((await ask(server, { model, descriptions })).status).toBe(413)
    }))

  it('are in the log where queries do, and nowhere else', async () => {
    await withServer({ logQueries: true }, async (server) => {
      await ask(server, { model, descriptions })
      expect(server.log.at(-1)).toMatchObject({ query: descriptions })
    })
    await withServer({}, async (server) => {
      await ask(server, { model, descriptions: ['octopus', '12', ''] })
      expect(JSON.stringify(server.log)).not.toContain('octopus')
    })
  })
})

describe('the rate limit', () => {
  const limited = (burst: number): Partial<ServerSettings> => ({
    rateLimitLoopback: true,
    rateLimit: { searchmodel: 1 },
    rateBurst: burst,
  })

  it('counts descriptions, not requests', () =>
    withServer(limited(5), async (server) => {
      const first = await ask(server, { model, descriptions })
      expect(first.status).toBe(200)
      expect(first.headers.ratelimit).toMatch(/^limit=5, remaining=2, reset=\d+$/)
      for (const left of [1, 0]) {
        const { status, headers } = await ask(server, { model, description: 'tea' })
        expect([status, headers.ratelimit]).toEqual([
          200,
          expect.stringContaining(`remaining=${left}`),
        ])
      }
      expect((await ask(server, { model, description: 'tea' })).status).toBe(429)
    }))

  it('refuses a batch that ends beyond it, which then counts as one request', () =>
    withServer(limited(5), async (server) => {
      await ask(server, { model, descriptions })
      const refused = await ask(server, { model, descriptions })
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(refused.headers.ratelimit).toContain('remaining=1')
      expect(JSON.parse(refused.body)).toMatchObject({ title: 'Too many requests' })
      expect(server.world.encoder.encoded).toHaveLength(3)
      expect((await ask(server, { model, description: 'tea' })).status).toBe(200)
      expect((await ask(server, { model, description: 'tea' })).status).toBe(429)
    }))

  it('counts wrong texts too, and nothing more of a request that is refused', () =>
    withServer(limited(5), async (server) => {
      expect((await ask(server, { model, descriptions: [] })).headers.ratelimit).toContain(
        'ining=4',
      )
      const { headers } = await ask(server, { model, descriptions: ['', '', 'tea'] })
      expect(headers.ratelimit).toContain('remaining=1')
    }))

  const { rateLimit, rateBurst } = readSettings(serverSettings, [], {}).settings
  const defaults = { rateLimit, rateBurst }

  it('lets any client send a full batch with the defaults, which costs the time of its texts', () =>
    withServer({ ...defaults, trustProxy: 1 }, async (server) => {
      const many = Array.from({ length: 64 }, (_, i) => `story ${i}`)
      const asRemote = (client: string, body: object) =>
        send(server, {
          method: 'POST',
          path: '/searchmodel/anime',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
        })
      const first = await asRemote('192.0.2.1', { model, descriptions: many })
      expect(answersOf(first)).toHaveLength(64)
      expect(first.headers.ratelimit).toBe('limit=1, remaining=0, reset=64')
      for (const body of [
        { model, descriptions: many },
        { model, description: 'tea' },
      ]) {
        const { status, headers } = await asRemote('192.0.2.1', body)
        expect(status).toBe(429)
        expect(headers['retry-after']).toBe('64')
      }
      expect(server.world.encoder.encoded).toHaveLength(64)
      expect((await asRemote('192.0.2.2', { model, descriptions: many })).status).toBe(200)
    }))

  it('refuses a batch that is larger than it after anything else in the window', () =>
    withServer({ ...limited(2), rateLimit: { searchmodel: 0.01 } }, async (server) => {
      expect((await ask(server, { model, description: 'tea' })).status).toBe(200)
      const { status, headers, body } = await ask(server, { model, descriptions })
      expect(status).toBe(429)
      expect(headers['retry-after']).toBe('200')
      expect((JSON.parse(body) as ProblemBody).detail).toContain('0.01 requests per second')
      expect(server.world.encoder.encoded).toHaveLength(1)
    }))

  it('spares programs on this machine, whatever they send', () =>
    withServer({ rateLimit: { searchmodel: 1 }, rateBurst: 1 }, async (server) => {
      for (let i = 0; i < 2; i++) answersOf(await ask(server, { model, descriptions }))
    }))
})

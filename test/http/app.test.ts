import { describe, expect, it } from 'vitest'
import type { HealthReport } from '#synoptic/server/schemas/server-health.js'
import { ask, createTestApp, healthy, post, question, withServer } from './harness.js'

const withHealth = (status: HealthReport['status']) =>
  createTestApp({}, { health: { report: () => ({ ...healthy, status }) } }).app

describe('health', () => {
  it('GET / returns the state, the kernel and whether there is CUDA', async () => {
    const response = await createTestApp().app.request('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.json()).toEqual(healthy)
  })

  it.each([
    ['ok', 200],
    ['degraded', 200],
    ['unavailable', 503],
    ['stopping', 503],
  ] as const)('GET /readyz of a server that is %s: %d', async (status, expected) => {
    const response = await withHealth(status).request('/readyz')
    expect(response.status).toBe(expected)
    expect(await response.json()).toEqual({ status, reasons: [] })
    expect((await withHealth(status).request('/livez')).status).toBe(200)
    expect((await withHealth(status).request('/')).status).toBe(200)
  })

  it('answers HEAD without a body', async () => {
    const response = await createTestApp().app.request('/livez', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })
})

describe('every response', () => {
  it.each(['/', '/livez', '/metrics', '/models', '/openapi.json', '/nothing', '/titles/anime'])(
    'is taken for what it says it is: %s',
    async (path) => {
      const response = await createTestApp().app.request(path)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  it('also where the request never reaches a route', async () => {
    await withServer({}, async ({ address }) => {
      const response = await fetch(`http://127.0.0.1:${address.port}/livez`, {
        headers: { expect: '200-ok' },
      }).catch(() => undefined)
      const refused = response ?? (await fetch(`http://127.0.0.1:${address.port}//%`))
      expect(refused.headers.get('x-content-type-options')).toBe('nosniff')
    })
  })
})

describe('a compressed body', () => {
  it('is refused with the encodings that are taken', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const response = await post(createTestApp(), '/searchmodel/anime', question, headers)
    expect(response.status).toBe(415)
    expect(response.headers.get('accept-encoding')).toBe('identity')
  })
})

describe('an error', () => {
  it('quotes what was received without control characters', async () => {
    const received = 'x\u009b2J\x1b[31m'
    const body = { ...question, model: received }
    const text = await (await post(createTestApp(), '/searchmodel/anime', body)).text()
    expect(text).not.toMatch(/\p{Cc}/u)
    expect((JSON.parse(text) as { detail: string }).detail).toContain(received)
  })
})

describe('requests that no route takes', () => {
  it.each([
    '/searchmodel',
    '/searchmodel/',
    '/searchmodel/anime/',
    '/searchmodel/films',
    '/x/../y',
  ])('%s is not found', async (path) => {
    const response = await createTestApp().app.request(path, { method: 'POST' })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ type: 'urn:synoptic:problem:not-found' })
  })

  it.each([
    ['/', 'GET, HEAD, OPTIONS'],
    ['/searchmodel/manga', 'POST, OPTIONS'],
  ])('OPTIONS %s names its methods', async (path, allowed) => {
    const response = await createTestApp().app.request(path, { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe(allowed)
  })

  it('a wrong method gets the right ones', async () => {
    const response = await createTestApp().app.request('/', { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})

describe('--enable-routes', () => {
  it('registers only the groups that are named', async () => {
    const health = createTestApp({ enableRoutes: ['health'] })
    expect((await health.app.request('/livez')).status).toBe(200)
    expect((await post(health, '/searchmodel/anime', question)).status).toBe(404)
    const search = createTestApp({ enableRoutes: ['searchmodel'] })
    expect((await search.app.request('/')).status).toBe(404)
    expect((await post(search, '/searchmodel/anime', question)).status).toBe(200)
  })
})

describe('X-Request-Id', () => {
  it('is taken from the client, and is in answer and log', async () => {
    const { app, log } = createTestApp()
    const response = await app.request('/livez', { headers: { 'x-request-id': 'abc-123' } })
    expect(response.headers.get('x-request-id')).toBe('abc-123')
    expect(log[0]).toMatchObject({
      requestId: 'abc-123',
      method: 'GET',
      path: '/livez',
      status: 200,
    })
  })

  it.each([undefined, '', 'a b', 'x'.repeat(300), '<script>', 'a"b'])(
    'is made where the client sends %j',
    async (id) => {
      const headers: Record<string, string> = id === undefined ? {} : { 'x-request-id': id }
      const response = await createTestApp().app.request('/livez', { headers })
      expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    },
  )
})

describe('--log-queries', () => {
  const settings = { trustProxy: ['127.0.0.1'] }
  const headers = { 'x-forwarded-for': '2001:db8::7' }

  it('off leaves text and address of a search out of the log', async () => {
    await withServer(settings, async (server) => {
      expect((await ask(server, headers)).status).toBe(200)
      expect(server.log).toHaveLength(1)
      expect(JSON.stringify(server.log)).not.toContain(question.description)
      expect(JSON.stringify(server.log)).not.toMatch(/127\.0\.0\.1|2001:db8/)
    })
  })

  it('on logs both in the line of the request', async () => {
    await withServer({ ...settings, logQueries: true }, async (server) => {
      expect((await ask(server, headers)).status).toBe(200)
      expect((await ask(server)).status).toBe(200)
      const { description: query } = question
      expect(server.log).toMatchObject([
        { path: '/searchmodel/anime', status: 200, client: '2001:db8::7', query },
        { path: '/searchmodel/anime', status: 200, client: '127.0.0.1', query },
      ])
    })
  })

  it('on logs nothing of a refused body', async () => {
    const test = createTestApp({ logQueries: true })
    const body = { ...question, page: 0 }
    expect((await post(test, '/searchmodel/anime', body)).status).toBe(400)
    expect(test.log[0]).toMatchObject({ problem: 'invalid-request' })
    expect(JSON.stringify(test.log)).not.toContain(question.description)
  })
})

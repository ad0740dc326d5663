import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRateLimits } from '#synoptic/server/http/limits/rate-limits.js'
import { ask, createTestApp, post, question, withServer } from '../harness.js'

describe('--rate-limit', () => {
  // The times in headers stand still too.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('lets a burst of two requests through at once, and refuses the third with Retry-After', async () => {
    await withServer(
      { rateLimitLoopback: true, rateLimit: { searchmodel: 1 }, rateBurst: 2 },
      async (server) => {
        const first = await ask(server)
        expect([first.status, (await ask(server)).status]).toEqual([200, 200])
        expect(first.headers['ratelimit-policy']).toBe('2;w=2')
        const refused = await ask(server)
        expect(refused.status).toBe(429)
        expect(refused.headers['retry-after']).toBe('2')
        expect(refused.headers['content-type']).toBe('application/problem+json')
        expect(JSON.parse(refused.body)).toMatchObject({
          type: 'urn:synoptic:problem:rate-limited',
          detail: expect.stringContaining('1 request per second') as string,
        })
        expect(server.world.encoder.encoded).toHaveLength(2)
      },
    )
  })

  it('spares programs on this machine by default, but nobody whom a proxy passes on', async () => {
    await withServer({ rateLimit: { searchmodel: 1 }, rateBurst: 1 }, async (server) => {
      for (let i = 0; i < 3; i++) expect((await ask(server)).status).toBe(200)
      const statuses = []
      for (let i = 0; i < 2; i++) {
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' }
        const body = JSON.stringify(question)
        const response = await fetch(`http://127.0.0.1:${server.address.port}/searchmodel/anime`, {
          method: 'POST',
          headers,
          body,
        })
        statuses.push(response.status)
        if (response.status === 429) {
          expect(await response.json()).toMatchObject({
            detail: expect.stringContaining('--rate-limit searchmodel=1') as string,
          })
        }
      }
      expect(statuses).toEqual([200, 429])
    })
  })

  it('counts both datasets together, and leaves health alone', async () => {
    const test = createTestApp({ rateLimit: { searchmodel: 1 }, rateBurst: 1 })
    expect((await post(test, '/searchmodel/anime', question)).status).toBe(200)
    expect((await post(test, '/searchmodel/manga', question)).status).toBe(429)
    expect((await test.app.request('/')).status).toBe(200)
    expect((await test.app.request('/')).status).toBe(200)
  })

  it('counts each group of routes that it names by itself', async () => {
    const rateLimit = { searchmodel: 1, models: 1, health: 0 }
    const test = createTestApp({ rateLimit, rateBurst: 1 })
    const models = () => test.app.request('/models')
    expect((await post(test, '/searchmodel/anime', question)).status).toBe(200)
    const answered = await models()
    expect(answered.status).toBe(200)
    expect(answered.headers.get('ratelimit')).toBe('limit=1, remaining=0, reset=1')
    const refused = await models()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await test.app.request(`/models/${question.model}`)).status).toBe(429)
    for (let i = 0; i < 3; i++) {
      expect((await test.app.request('/livez')).headers.get('ratelimit')).toBeNull()
      expect((await test.app.request('/models', { method: 'OPTIONS' })).status).toBe(204)
    }
  })

  it('does not count preflights', async () => {
    const test = createTestApp({ rateLimit: { searchmodel: 1 }, rateBurst: 1 })
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' }
    const preflight = { method: 'OPTIONS', headers }
    for (let i = 0; i < 3; i++) {
      expect((await test.app.request('/searchmodel/anime', preflight)).status).toBe(204)
    }
    expect((await post(test, '/searchmodel/anime', question)).status).toBe(200)
  })

  it('0 sets no limit', async () => {
    const test = createTestApp({ rateLimit: { searchmodel: 0 } })
    for (let i = 0; i < 20; i++) {
      expect((await post(test, '/searchmodel/anime', question)).status).toBe(200)
    }
  })

  it('stays the same in an app that is built again', async () => {
    const first = createTestApp({ rateLimit: { searchmodel: 1 }, rateBurst: 1 })
    const again = createTestApp({}, { rateLimits: first.rateLimits })
    expect((await post(first, '/searchmodel/anime', question)).status).toBe(200)
    expect((await post(again, '/searchmodel/anime', question)).status).toBe(429)
  })

  it('is not built without a store for a group that has a limit', () => {
    const settings = {
      rateLimit: { search: 1 },
      rateExempt: ['none'],
      rateBurst: 1,
      trustProxy: 0,
      rateLimitLoopback: true,
    }
    expect(() => createRateLimits(settings, new Map())).toThrow('a store that counts for search')
  })
})

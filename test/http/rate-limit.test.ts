import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TrustedProxies } from '#synoptic/config/schemas.js'
import { createTokenBuckets } from '#synoptic/http/token-buckets.js'
import { ask, createTestApp, post, question, send, withServer } from './harness.js'

describe('the buckets of tokens', () => {
  function at(perSecond: number, burst: number) {
    let time = 1_000_000
    let set = 0
    const buckets = createTokenBuckets(
      { perSecond, burst },
      () => time,
      () => time + set,
    )
    const isTaken = async (key: string) => (await buckets.increment(key)).totalHits <= burst
    const setClock = (ms: number) => (set += ms)
    return { buckets, isTaken, setClock, wait: (ms: number) => (time += ms) }
  }

  it('let a burst through, then one at a time', async () => {
    const { isTaken, wait } = at(1, 2)
    expect([await isTaken('a'), await isTaken('a'), await isTaken('a')]).toEqual([
      true,
      true,
      false,
    ])
    wait(999)
    expect(await isTaken('a')).toBe(false)
    wait(1)
    expect([await isTaken('a'), await isTaken('a')]).toEqual([true, false])
    wait(10_000)
    expect([await isTaken('a'), await isTaken('a'), await isTaken('a')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('are one for each client, and charge nothing for a refusal', async () => {
    const { isTaken, wait } = at(2, 1)
    expect([await isTaken('a'), await isTaken('b')]).toEqual([true, true])
    for (let i = 0; i < 100; i++) expect(await isTaken('a')).toBe(false)
    wait(500)
    expect(await isTaken('a')).toBe(true)
  })

  it('never let more than burst + time * rate through', async () => {
    const { isTaken, wait } = at(5, 3)
    let taken = 0
    for (let i = 0; i < 400; i++) {
      if (await isTaken('a')) taken += 1
      wait(25)
    }
    expect(taken).toBeLessThanOrEqual(3 + 50)
    expect(taken).toBeGreaterThanOrEqual(50)
  })

  it('tell when to come back', async () => {
    const { buckets, wait } = at(0.5, 1)
    await buckets.increment('a')
    wait(500)
    const { totalHits, resetTime } = await buckets.increment('a')
    expect(totalHits).toBe(2)
    expect(resetTime?.getTime()).toBe(1_002_000)
  })

  it.each([0.3, 3, 7, 1000 / 3])(
    'let a client through at %d requests per second, at any time',
    async (rate) => {
      for (let i = 0; i < 200; i++) {
        const time = i * 1234.567_891
        const buckets = createTokenBuckets({ perSecond: rate, burst: 1 }, () => time)
        expect((await buckets.increment('a')).totalHits).toBe(1)
        expect((await buckets.increment('a')).totalHits).toBe(2)
      }
    },
  )

  it.each([-3_600_000, 3_600_000])('do not mind a clock that is set by %d ms', async (jumpMs) => {
    const { buckets, isTaken, wait, setClock } = at(1, 1)
    expect(await isTaken('a')).toBe(true)
    setClock(jumpMs)
    expect(await isTaken('a')).toBe(false)
    const { resetTime } = await buckets.increment('a')
    expect(resetTime?.getTime()).toBe(1_000_000 + jumpMs + 1000)
    wait(1000)
    expect(await isTaken('a')).toBe(true)
  })

  it('forget whoever was let through longest ago, where there are too many', async () => {
    const buckets = createTokenBuckets({ perSecond: 0.001, burst: 2, limit: 3 }, () => 0)
    const left = async (key: string) => 2 - (await buckets.increment(key)).totalHits
    for (const key of ['a', 'b', 'c', 'a', 'd']) await left(key)
    expect(await left('a')).toBe(-1)
    expect(await left('c')).toBe(0)
    expect(await left('b')).toBe(1)
  })

  it('give a token back, and forget a client', async () => {
    const { buckets, isTaken } = at(1, 1)
    await isTaken('a')
    await buckets.decrement('a')
    expect([await isTaken('a'), await isTaken('a')]).toEqual([true, false])
    await buckets.resetKey('a')
    expect(await isTaken('a')).toBe(true)
  })
})

describe('--rate-limit', () => {
  // Nor does the clock go on by which clients are told how long to wait.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('lets a burst of two requests through at once, and refuses the third with Retry-After', async () => {
    await withServer({ rateLimit: { searchmodel: 1 }, rateBurst: 2 }, async (server) => {
      const first = await ask(server)
      expect([first.status, (await ask(server)).status]).toEqual([200, 200])
      expect(first.headers['ratelimit-policy']).toBe('2;w=2')
      const refused = await ask(server)
      expect(refused.status).toBe(429)
      expect(refused.headers['retry-after']).toBe('1')
      expect(refused.headers['content-type']).toBe('application/problem+json')
      expect(JSON.parse(refused.body)).toMatchObject({
        type: 'urn:synoptic:problem:rate-limited',
        detail: expect.stringContaining('1 request per second') as string,
      })
      expect(server.world.encoder.encoded).toHaveLength(2)
    })
  })

  it('counts both datasets together, and leaves health alone', async () => {
    const test = createTestApp({ rateLimit: { searchmodel: 1 }, rateBurst: 1 })
    expect((await post(test, '/searchmodel/anime', question)).status).toBe(200)
    expect((await post(test, '/searchmodel/manga', question)).status).toBe(429)
    expect((await test.app.request('/')).status).toBe(200)
    expect((await test.app.request('/')).status).toBe(200)
  })

  it('paces each group of routes that it names by itself', async () => {
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
})

describe('the address that is counted', () => {
  const statuses = (trustProxy: TrustedProxies, addresses: readonly string[]) =>
    withServer({ rateLimit: { searchmodel: 1 }, rateBurst: 1, trustProxy }, async (server) => {
      const seen: number[] = []
      for (const address of addresses) {
        seen.push((await ask(server, { 'x-forwarded-for': address })).status)
      }
      return seen
    })

  it('is the socket, whatever the client writes into X-Forwarded-For', async () => {
    expect(await statuses(0, ['1.1.1.1', '2.2.2.2'])).toEqual([200, 429])
  })

  it('is what the proxy saw, where one is trusted', async () => {
    expect(await statuses(1, ['1.1.1.1', '2.2.2.2', '1.1.1.1'])).toEqual([200, 200, 429])
    expect(await statuses(1, ['9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1'])).toEqual([200, 429])
    expect(await statuses(2, ['1.1.1.1, 7.7.7.7', '1.1.1.1, 6.6.6.6'])).toEqual([200, 429])
  })

  it('is the first from the right that is no trusted proxy, where their addresses are told', async () => {
    // The tests' own address is the proxy next to the server.
    const trusted = ['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48']
    const seen = (...addresses: string[]) => statuses(trusted, addresses)
    expect(await seen('1.1.1.1', '2.2.2.2', '1.1.1.1')).toEqual([200, 200, 429])
    expect(await seen('9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1')).toEqual([200, 429])
    expect(await seen('1.1.1.1, 10.1.2.3', '1.1.1.1,10.9.9.9, 10.0.0.1', '1.1.1.1')).toEqual([
      200, 429, 429,
    ])
    expect(await seen('1.1.1.1, ::ffff:10.1.2.3', '::ffff:101:101, 2001:DB8:FFFF:0::1')).toEqual([
      200, 429,
    ])
    // Nothing but proxies: the outermost of them asks.
    expect(await seen('10.0.0.1, 10.0.0.2', '10.0.0.1, 10.0.0.3')).toEqual([200, 429])
  })

  it('is the socket, or the proxy, where no address that is trusted says more', async () => {
    expect(await statuses(['10.0.0.0/8'], ['1.1.1.1', '2.2.2.2'])).toEqual([200, 429])
    expect(await statuses(['127.0.0.0/8'], ['unknown', '', '1.1.1.1, x'])).toEqual([200, 429, 429])
    expect(await statuses(['::ffff:127.0.0.1'], ['1.1.1.1', '2.2.2.2'])).toEqual([200, 200])
    const behindJunk = ['1.1.1.1, junk, 10.0.0.1', '2.2.2.2, junk, 10.0.0.1']
    expect(await statuses(['127.0.0.1', '10.0.0.0/8'], behindJunk)).toEqual([200, 429])
  })

  it('is the socket where the header holds no address', async () => {
    expect(await statuses(1, ['unknown', 'nonsense'])).toEqual([200, 429])
  })

  it('is one for all addresses of an IPv6 network', async () => {
    const list = ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff::9', '2001:db8:1:3::1']
    expect(await statuses(1, list)).toEqual([200, 429, 200])
    expect(await statuses(1, ['::1', '0:0:0:0:0:0:0:1'])).toEqual([200, 429])
    expect(await statuses(1, ['::ffff:1.1.1.1', '1.1.1.1', '::ffff:1.1.1.2'])).toEqual([
      200, 429, 200,
    ])
    expect(await statuses(1, ['::FFFF:101:101', '1.1.1.1'])).toEqual([200, 429])
  })

  it('has its place freed by nobody else', async () => {
    await withServer({ rateLimit: { searchmodel: 1 }, rateBurst: 1 }, async (server) => {
      const refusedBefore = await send(server, { method: 'POST', path: '/searchmodel/anime' })
      expect(refusedBefore.status).toBe(415)
      expect((await ask(server)).status).toBe(429)
    })
  })
})

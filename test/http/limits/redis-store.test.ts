import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientRateLimitInfo } from 'hono-rate-limiter'
import { createClient } from '@redis/client'
import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createMemoryStore } from '#synoptic/server/http/limits/memory-store.js'
import { type TakenBatch, windowOf } from '#synoptic/server/http/limits/rate-window.js'
import { openRedisStores } from '#synoptic/server/http/limits/redis-store.js'
import { closedPort, freePort } from '../../helpers/sockets.js'

const isInstalled = spawnSync('redis-server', ['--version']).error === undefined
if (!isInstalled)
  console.warn('SKIPPED: there is no redis-server (Debian: apt install redis-server)')

const stops: (() => void)[] = []
afterEach(() => stops.splice(0).forEach((stop) => stop()))

async function startRedis(port: number): Promise<ChildProcess> {
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const redis = spawn('redis-server', words)
  stops.push(() => redis.kill('SIGKILL'))
  let output = ''
  for await (const text of redis.stdout.setEncoding('utf8')) {
    output += String(text)
    if (output.includes('Ready to accept connections')) break
  }
  redis.stdout.resume()
  return redis
}

interface Server {
  isAllowed(client: string): Promise<boolean>
  readonly log: { msg: string }[]
  increment(client: string): Promise<ClientRateLimitInfo> | ClientRateLimitInfo
  take(client: string, cost: number): Promise<TakenBatch> | TakenBatch
}

/** Redis counts however busy the machine is, unless the test sets a shorter time. */
async function openServer(
  port: number,
  perSecond: number,
  burst: number,
  timeoutMs = 600_000,
): Promise<Server> {
  const log: { msg: string }[] = []
  const logger = pino({}, { write: (line) => void log.push(JSON.parse(line) as { msg: string }) })
  const { limit, windowMs } = windowOf(perSecond, burst)
  const fallback = createMemoryStore({ windowMs })
  const url = `redis://127.0.0.1:${port}`
  const { store: storeOf, close } = await openRedisStores(url, logger, timeoutMs)
  const store = storeOf('searchmodel', { windowMs, fallback })
  stops.push(close)
  const isAllowed = async (client: string) => (await store.increment(client)).totalHits <= limit
  return {
    log,
    isAllowed,
    increment: (client) => store.increment(client),
    take: (client, cost) => store.take(client, { cost, limit }),
  }
}

/** Until its connection is there, a server counts for itself. */
async function connected(...words: Parameters<typeof openServer>): Promise<Server> {
  const server = await openServer(...words)
  for (let i = 0; ; i++) {
    await server.isAllowed(`probe-${i}`)
    const { msg } = server.log.at(-1) ?? {}
    if (msg === undefined || msg.startsWith('Redis is back')) return server
    await sleep(20)
  }
}

describe.skipIf(!isInstalled)('the store in Redis', () => {
  it('has one count for a client of several servers', async () => {
    const port = await freePort()
    await startRedis(port)
    const [one, two] = [await connected(port, 0.01, 2), await connected(port, 0.01, 2)]
    expect([await one.isAllowed('a'), await two.isAllowed('a')]).toEqual([true, true])
    expect([await one.isAllowed('a'), await two.isAllowed('a')]).toEqual([false, false])
    expect(await two.isAllowed('b')).toBe(true)
  })

  it('counts each request of many that come together', async () => {
    const port = await freePort()
    await startRedis(port)
    const servers = [await connected(port, 0.01, 1), await connected(port, 0.01, 1)]
    const hits = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        return (await servers[i % 2]?.increment('a'))?.totalHits ?? NaN
      }),
    )
    expect(hits.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
  })

  it('counts a batch whole or not at all', async () => {
    const port = await freePort()
    const redis = await startRedis(port)
    const server = await connected(port, 0.01, 10)
    const hits = async (cost: number) => (await server.take('a', cost)).totalHits
    await server.increment('a')
    expect([await hits(6), await hits(4), await hits(3), await hits(1)]).toEqual([7, 11, 10, 11])
    expect((await server.increment('a')).totalHits).toBe(11)
    redis.kill('SIGKILL')
    while (server.log.length === 0) await hits(20)
    // The server counts for itself then.
    expect([await hits(10), await hits(1)]).toEqual([10, 11])
  })

  it('counts a batch that no window holds where nothing else is in it, which lasts longer then', async () => {
    const port = await freePort()
    await startRedis(port)
    // A window lasts 100 s.
    const server = await connected(port, 0.01, 1)
    const leftMs = (info: ClientRateLimitInfo) => Number(info.resetTime) - Date.now()
    await server.increment('a')
    const first = await server.take('a', 63)
    expect(first).toMatchObject({ totalHits: 64, isTaken: true })
    expect(leftMs(first)).toBeGreaterThan(6_300_000)
    expect(leftMs(first)).toBeLessThanOrEqual(6_400_000)
    const second = await server.increment('a')
    expect(second.totalHits).toBe(65)
    expect(leftMs(second)).toBeGreaterThan(6_300_000)
    expect(await server.take('a', 63)).toMatchObject({ totalHits: 128, isTaken: false })
    await server.increment('b')
    await server.increment('b')
    const refused = await server.take('b', 63)
    expect(refused).toMatchObject({ totalHits: 65, isTaken: false })
    expect(leftMs(refused)).toBeLessThanOrEqual(100_000)
  })

  it('lets one request through in each window, and says when the next one begins', async () => {
    const port = await freePort()
    await startRedis(port)
    const server = await connected(port, 5, 1)
    const begunMs = performance.now()
    let refused: ClientRateLimitInfo | undefined
    for (let allowed = 0; allowed < 4 || refused === undefined;) {
      const counted = await server.increment('a')
      if (counted.totalHits > 1) refused = counted
      else allowed += 1
      // One at first, and five a second; never more, however long other programs have the processor.
      expect(allowed).toBeLessThanOrEqual(1 + 0.005 * (performance.now() - begunMs))
      await sleep(10)
    }
    expect(Number(refused.resetTime) - Date.now()).toBeLessThanOrEqual(200)
  })

  it('ends a window that somebody has left without an end', async () => {
    const port = await freePort()
    await startRedis(port)
    const server = await connected(port, 0.01, 1)
    await server.increment('a')
    const client = await createClient({ url: `redis://127.0.0.1:${port}` }).connect()
    stops.push(() => client.destroy())
    const [key = ''] = await client.keys('synoptic:rate-limit:searchmodel:a')
    expect(await client.persist(key)).toBe(1)
    expect((await server.increment('a')).totalHits).toBe(2)
    expect(await client.pTTL(key)).toBeGreaterThan(0)
  })

  it('takes rates that make no whole milliseconds', async () => {
    const port = await freePort()
    await startRedis(port)
    for (const perSecond of [0.3, 3, 7, 1_000_000]) {
      const server = await connected(port, perSecond, 1)
      for (let i = 0; i < 20; i++) expect(await server.isAllowed(`${perSecond} ${i}`)).toBe(true)
    }
  })

  it('is replaced by that of the server while Redis is away, with one warning', async () => {
    const port = await freePort()
    const redis = await startRedis(port)
    const server = await connected(port, 0.01, 1)
    expect(await server.isAllowed('a')).toBe(true)
    server.log.length = 0
    redis.kill('SIGKILL')
    await once(redis, 'exit')
    expect([await server.isAllowed('b'), await server.isAllowed('b')]).toEqual([true, false])
    expect(server.log.map(({ msg }) => msg)).toEqual([expect.stringContaining('does not respond')])
    await startRedis(port)
    while (server.log.length < 2) {
      await server.isAllowed('c')
      await sleep(20)
    }
    expect(server.log[1]?.msg).toContain('Redis is back')
    expect(await server.isAllowed('a')).toBe(true)
  })

  it('is replaced too where Redis hangs', async () => {
    const port = await freePort()
    const redis = await startRedis(port)
    const server = await connected(port, 0.01, 1, 250)
    redis.kill('SIGSTOP')
    expect([await server.isAllowed('a'), await server.isAllowed('a')]).toEqual([true, false])
    redis.kill('SIGCONT')
  })

  it('is replaced where Redis was never there', async () => {
    const server = await openServer(closedPort, 0.01, 1)
    expect([await server.isAllowed('a'), await server.isAllowed('a')]).toEqual([true, false])
  })
})

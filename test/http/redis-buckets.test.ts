import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientRateLimitInfo } from 'hono-rate-limiter'
import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { openRedisBuckets } from '#synoptic/http/redis-buckets.js'
import { createTokenBuckets } from '#synoptic/http/token-buckets.js'
import { closedPort, freePort } from '../helpers/sockets.js'

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
  isTaken(client: string): Promise<boolean>
  readonly log: { msg: string }[]
  increment(client: string): Promise<ClientRateLimitInfo> | ClientRateLimitInfo
}

/** However busy the machine is, it is Redis that counts, unless the test says how soon it does not. */
async function openServer(
  port: number,
  perSecond: number,
  burst: number,
  patienceMs = 600_000,
): Promise<Server> {
  const log: { msg: string }[] = []
  const logger = pino({}, { write: (line) => void log.push(JSON.parse(line) as { msg: string }) })
  const fallback = createTokenBuckets({ perSecond, burst })
  const url = `redis://127.0.0.1:${port}`
  const { buckets, close } = await openRedisBuckets(url, logger, patienceMs)
  const store = buckets('group', { perSecond, burst, fallback })
  stops.push(close)
  const isTaken = async (client: string) => (await store.increment(client)).totalHits <= burst
  return { log, isTaken, increment: (client) => store.increment(client) }
}

/** Until its connection is there, a server counts for itself. */
async function connected(...words: Parameters<typeof openServer>): Promise<Server> {
  const server = await openServer(...words)
  for (let i = 0; ; i++) {
    await server.isTaken(`probe-${i}`)
    const { msg } = server.log.at(-1) ?? {}
    if (msg === undefined || msg.startsWith('Redis is back')) return server
    await sleep(20)
  }
}

describe.skipIf(!isInstalled)('the buckets in Redis', () => {
  it('are one for a client of several servers', async () => {
    const port = await freePort()
    await startRedis(port)
    const [one, two] = [await connected(port, 0.01, 2), await connected(port, 0.01, 2)]
    expect([await one.isTaken('a'), await two.isTaken('a')]).toEqual([true, true])
    expect([await one.isTaken('a'), await two.isTaken('a')]).toEqual([false, false])
    expect(await two.isTaken('b')).toBe(true)
  })

  it('fill at the pace, charge nothing for a refusal, and tell when to come back', async () => {
    const port = await freePort()
    await startRedis(port)
    const server = await connected(port, 5, 1)
    const begunMs = performance.now()
    let refused: ClientRateLimitInfo | undefined
    for (let taken = 0; taken < 4 || refused === undefined;) {
      const info = await server.increment('a')
      if (info.totalHits > 1) refused = info
      else taken += 1
      // One at first, and five a second; never more, however long somebody else has the processor.
      expect(taken).toBeLessThanOrEqual(1 + 0.005 * (performance.now() - begunMs))
      await sleep(10)
    }
    expect(refused.totalHits).toBe(2)
    expect(Number(refused.resetTime) - Date.now()).toBeLessThanOrEqual(200)
  })

  it('let through what they should at paces that are no round numbers', async () => {
    const port = await freePort()
    await startRedis(port)
    for (const perSecond of [0.3, 3, 7]) {
      const server = await connected(port, perSecond, 1)
      for (let i = 0; i < 20; i++) expect(await server.isTaken(`${perSecond} ${i}`)).toBe(true)
    }
  })

  it('are replaced by those of the server while Redis is away, with one warning', async () => {
    const port = await freePort()
    const redis = await startRedis(port)
    const server = await connected(port, 0.01, 1)
    expect(await server.isTaken('a')).toBe(true)
    server.log.length = 0
    redis.kill('SIGKILL')
    await once(redis, 'exit')
    expect([await server.isTaken('b'), await server.isTaken('b')]).toEqual([true, false])
    expect(server.log.map(({ msg }) => msg)).toEqual([expect.stringContaining('does not answer')])
    await startRedis(port)
    while (server.log.length < 2) {
      await server.isTaken('c')
      await sleep(20)
    }
    expect(server.log[1]?.msg).toContain('Redis is back')
    expect(await server.isTaken('a')).toBe(true)
  })

  it('are replaced too where Redis hangs', async () => {
    const port = await freePort()
    const redis = await startRedis(port)
    const server = await connected(port, 0.01, 1, 250)
    redis.kill('SIGSTOP')
    expect([await server.isTaken('a'), await server.isTaken('a')]).toEqual([true, false])
    redis.kill('SIGCONT')
  })

  it('were never there: the server counts for itself', async () => {
    const server = await openServer(closedPort, 0.01, 1)
    expect([await server.isTaken('a'), await server.isTaken('a')]).toEqual([true, false])
  })
})

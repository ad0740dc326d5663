import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readMetrics, sumOf } from '../observability/text.js'
import {
  ask,
  createTestApp,
  holdEncoder,
  send,
  until,
  untilEncoding,
  withServer,
  type TestApp,
} from './harness.js'

const page = 'https://page.example'

const samplesOf = async ({ app }: TestApp) =>
  readMetrics(await (await app.request('/metrics')).text())

/** Runs a task while a search holds the only slot. */
async function whileBusy(
  changes: Parameters<typeof withServer>[0],
  task: (server: Parameters<Parameters<typeof withServer>[1]>[0]) => Promise<void>,
): Promise<void> {
  await withServer({ limitConcurrency: 1, corsOrigins: ['*'], ...changes }, async (server) => {
    const release = holdEncoder(server)
    const served = ask(server)
    await untilEncoding(server)
    await task(server)
    release()
    expect((await served).status).toBe(200)
    expect((await ask(server)).status).toBe(200)
  })
}

describe('a search while every slot is taken', () => {
  it('is refused as a problem, with request id, CORS and Retry-After', async () => {
    await whileBusy({}, async (server) => {
      const { status, headers, body } = await ask(server, { origin: page, 'x-request-id': 'mine' })
      expect(status).toBe(503)
      expect(headers).toMatchObject({
        'content-type': 'application/problem+json',
        'x-request-id': 'mine',
        'retry-after': '1',
        'access-control-allow-origin': '*',
      })
      expect(JSON.parse(body)).toMatchObject({
        type: 'urn:synoptic:problem:overloaded',
        requestId: 'mine',
      })
      expect(server.world.encoder.encoded).toHaveLength(1)
    })
  })

  it('is refused before its body is sent', async () => {
    await whileBusy({}, async (server) => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const outgoing = request(
          {
            port: server.address.port,
            method: 'POST',
            path: '/searchmodel/anime',
            headers: { 'content-type': 'application/json', 'content-length': '100' },
          },
          ({ statusCode }) => {
            resolve(statusCode)
            outgoing.destroy()
          },
        ).on('error', reject)
        outgoing.write('{')
      })
      expect(status).toBe(503)
    })
  })

  it('is counted in the metrics, and in one line of the log a second', async () => {
    await whileBusy({}, async (server) => {
      for (let i = 0; i < 3; i++) expect((await ask(server)).status).toBe(503)
      const lines = () => server.log.filter(({ refused }) => refused !== undefined)
      const reported = () => lines().reduce((sum, { refused }) => sum + Number(refused), 0)
      await until('the log counts three refusals', () => reported() === 3)
      expect(lines()[0]).toMatchObject({ level: 40, status: 503, problem: 'overloaded' })
      expect(lines().length).toBeLessThan(3)
      expect(server.log.filter(({ msg }) => msg === 'request')).toEqual([])
      const samples = await samplesOf(server)
      const refused = { route: '/searchmodel/anime', method: 'POST', status: '503' }
      expect(sumOf(samples, 'synoptic_request_duration_seconds_count', refused)).toBe(3)
      expect(sumOf(samples, 'synoptic_problems_total', { problem: 'overloaded' })).toBe(3)
    })
  })

  it('has a line of its own where queries are logged', async () => {
    await whileBusy({ logQueries: true }, async (server) => {
      expect((await ask(server)).status).toBe(503)
      expect(server.log.find(({ status }) => status === 503)).toMatchObject({
        msg: 'request',
        client: '127.0.0.1',
      })
    })
  })

  it('counts for the rate limit', async () => {
    const limit = { rateLimit: { searchmodel: 0.01 }, rateBurst: 2, rateLimitLoopback: true }
    const changes = { limitConcurrency: 1, corsOrigins: ['*'], ...limit }
    await withServer(changes, async (server) => {
      const release = holdEncoder(server)
      const served = ask(server)
      await untilEncoding(server)
      expect((await ask(server)).status).toBe(503)
      expect((await ask(server)).status).toBe(429)
      release()
      expect((await served).status).toBe(200)
    })
  })

  it('leaves a kept connection ready for the next request, however large its body', async () => {
    await whileBusy({}, async (server) => {
      const origin = `http://127.0.0.1:${server.address.port}`
      const body = 'x'.repeat(50_000)
      for (let i = 0; i < 20; i++) {
        const response = await fetch(`${origin}/searchmodel/anime`, { method: 'POST', body })
        expect(response.status).toBe(503)
        await response.text()
      }
      expect((await fetch(`${origin}/livez`)).status).toBe(200)
    })
  })
})

describe('the probes', () => {
  it.each(['/', '/livez', '/readyz'])(
    'GET %s is served while every slot is taken',
    async (path) => {
      await whileBusy({}, async (server) => {
        const { status, headers, body } = await send(server, { path, headers: { origin: page } })
        expect(status).toBe(200)
        expect(headers).toMatchObject({
          'content-type': 'application/json',
          'cache-control': path === '/' ? 'no-cache' : 'no-store',
          'access-control-allow-origin': '*',
        })
        expect(body).toContain('"status":"ok"')
        expect(server.log).toMatchObject([{ method: 'GET', path, status: 200 }])
        const counted = { route: path, method: 'GET', status: '200' }
        const samples = await samplesOf(server)
        expect(sumOf(samples, 'synoptic_request_duration_seconds_count', counted)).toBe(1)
      })
    },
  )

  it('obey the rate limit and --enable-routes', async () => {
    const limited = createTestApp({ rateLimit: { health: 0.01 } })
    const first = await limited.app.request('/livez')
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit')).toMatch(/limit=1/)
    expect((await limited.app.request('/livez')).status).toBe(429)
    const without = createTestApp({ enableRoutes: ['search'] })
    expect((await without.app.request('/livez')).status).toBe(404)
  })

  it('need a Host, and GET', async () => {
    await withServer({}, async (server) => {
      expect((await send(server, { path: '/livez', setHost: false })).status).toBe(400)
      expect((await send(server, { path: '/livez', method: 'POST' })).status).toBe(405)
    })
  })
})

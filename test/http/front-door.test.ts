import { describe, expect, it } from 'vitest'
import { readMetrics, sumOf } from '../observability/text.js'
import { ask, healthy, holdEncoder, send, until, withServer, type Answer } from './harness.js'

/** What differs from one answer to the next. */
const steady = ({ status, headers, body }: Answer) => {
  const names = Object.keys(headers).sort()
  return { status, names, headers: { ...headers, date: '', 'x-request-id': '' }, body }
}
const page = 'https://page.example'

describe.each(['/', '/livez', '/readyz'])('GET %s before the app', (path) => {
  it.each([{}, { corsOrigins: [page] }, { corsOrigins: ['https://other.example'] }])(
    'is what the app answers: %j',
    async (settings) => {
      await withServer(settings, async (server) => {
        const headers = { origin: page, 'x-request-id': 'mine' }
        const early = await send(server, { path, headers })
        // The app takes what has a query.
        const late = await send(server, { path: `${path}?`, headers })
        expect(steady(early)).toEqual(steady(late))
        expect(early).toMatchObject({ status: 200, headers: { 'x-request-id': 'mine' } })
        expect(early.body).toContain('"status":"')
        const lines = server.log.map(({ durationMs, phases, ...line }) => {
          return { ...line, took: Number(durationMs) >= 0, phases }
        })
        // A probe of the process is worth no line.
        expect(lines).toHaveLength(path === '/livez' ? 1 : 2)
        expect({ ...lines[0], time: '' }).toEqual({ ...lines.at(-1), time: '' })
        const samples = readMetrics(await (await server.app.request('/metrics')).text())
        const counted = { route: path, method: 'GET', status: '200' }
        const count = sumOf(samples, 'synoptic_request_duration_seconds_count', counted)
        expect(count).toBe(lines.length)
      })
    },
  )

  it('tells who may call to those who name an origin, and all where that depends on it', async () => {
    const corsNames = ({ headers }: Answer) =>
      Object.keys(headers).filter((name) => /^access-control|^vary$/.test(name))
    await withServer({}, async (server) => {
      expect(corsNames(await send(server, { path }))).toEqual([])
      expect(corsNames(await send(server, { path, headers: { origin: page } }))).toEqual([
        'access-control-allow-origin',
        'access-control-expose-headers',
      ])
    })
    await withServer({ corsOrigins: [page] }, async (server) => {
      expect(corsNames(await send(server, { path }))).toEqual(['vary'])
    })
  })

  it('is left to the app where that tells more of a request', async () => {
    await withServer({ logQueries: true }, async (server) => {
      expect((await send(server, { path })).status).toBe(200)
      const tells = path === '/livez' ? [] : [expect.objectContaining({ client: '127.0.0.1' })]
      expect(server.log).toEqual(tells)
    })
  })
})

describe('a server that stops', () => {
  it('is told by the probe of its readiness, and by its report, before the app and by it', async () => {
    const report = () => ({ ...healthy, status: 'stopping' }) as const
    await withServer(
      {},
      async (server) => {
        for (const [path, status] of Object.entries({ '/': 200, '/readyz': 503, '/livez': 200 })) {
          const headers = { origin: page }
          const early = await send(server, { path, headers })
          expect(steady(early)).toEqual(steady(await send(server, { path: `${path}?`, headers })))
          expect(early.status).toBe(status)
        }
      },
      { health: { report } },
    )
  })
})

describe('GET /livez before the app', () => {
  it('takes a sound request id and no other', async () => {
    await withServer({}, async (server) => {
      const idOf = async (id: string) => {
        const { headers } = await send(server, { path: '/livez', headers: { 'x-request-id': id } })
        return headers['x-request-id']
      }
      expect(await idOf('abc-123')).toBe('abc-123')
      for (const id of ['', 'a b', 'x'.repeat(256)])
        expect(await idOf(id)).toMatch(/^[\da-f-]{36}$/)
    })
  })

  it('leaves to the app what is paced, not served or without a Host', async () => {
    await withServer({ rateLimit: { health: 0.01 } }, async (server) => {
      expect((await send(server, { path: '/livez' })).headers.ratelimit).toMatch(/limit=1/)
      expect((await send(server, { path: '/livez' })).status).toBe(429)
    })
    await withServer({ enableRoutes: ['search'] }, async (server) => {
      expect((await send(server, { path: '/livez' })).status).toBe(404)
    })
    await withServer({}, async (server) => {
      expect((await send(server, { path: '/livez', setHost: false })).status).toBe(400)
      expect((await send(server, { path: '/livez', method: 'POST' })).status).toBe(405)
    })
  })
})

describe('a search while every place is taken', () => {
  it('is refused as the app refuses it, counted, and told in the log', async () => {
    await withServer({ limitConcurrency: 1 }, async (server) => {
      const release = holdEncoder(server)
      const served = ask(server)
      await until(() => server.world.encoder.encoded.length === 1)
      const early = await ask(server, { origin: page, 'x-request-id': 'mine' })
      expect(early.headers['x-request-id']).toBe('mine')
      const response = await server.app.request('/searchmodel/anime', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: page, 'x-request-id': 'mine' },
        body: '{}',
      })
      expect(early.status).toBe(response.status)
      expect(early.body).toBe(await response.text())
      expect(early.headers).toMatchObject(Object.fromEntries(response.headers))
      release()
      expect((await served).status).toBe(200)
      const told = () => server.log.filter(({ refused }) => refused === 1)
      await until(() => told().length > 0)
      expect(told()).toMatchObject([{ level: 40, status: 503, problem: 'overloaded' }])
      const samples = readMetrics(await (await server.app.request('/metrics')).text())
      const refused = { route: '/searchmodel/anime', method: 'POST', status: '503' }
      expect(sumOf(samples, 'synoptic_request_duration_seconds_count', refused)).toBe(2)
      expect(sumOf(samples, 'synoptic_problems_total', { problem: 'overloaded' })).toBe(2)
    })
  })

  it('is counted by the rate limit first, and logged whole where queries are', async () => {
    const refused = { status: 503 }
    await withServer(
      { limitConcurrency: 1, rateLimit: { searchmodel: 0.01 }, rateBurst: 2 },
      async (server) => {
        const release = holdEncoder(server)
        const served = ask(server)
        await until(() => server.world.encoder.encoded.length === 1)
        expect(await ask(server)).toMatchObject(refused)
        expect((await ask(server)).status).toBe(429)
        release()
        await served
      },
    )
    await withServer({ limitConcurrency: 1, logQueries: true }, async (server) => {
      const release = holdEncoder(server)
      const served = ask(server)
      await until(() => server.world.encoder.encoded.length === 1)
      expect(await ask(server)).toMatchObject(refused)
      expect(server.log.find(({ status }) => status === 503)).toHaveProperty('client')
      release()
      await served
    })
  })

  it('leaves a kept connection ready for what comes next, however large its body', async () => {
    await withServer({ limitConcurrency: 1 }, async (server) => {
      const release = holdEncoder(server)
      const served = ask(server)
      await until(() => server.world.encoder.encoded.length === 1)
      const origin = `http://127.0.0.1:${server.address.port}`
      const body = 'x'.repeat(50_000)
      for (let i = 0; i < 20; i++) {
        const response = await fetch(`${origin}/search/anime`, { method: 'POST', body })
        expect(response.status).toBe(503)
        await response.text()
      }
      release()
      expect((await served).status).toBe(200)
      expect((await fetch(`${origin}/models`)).status).toBe(200)
    })
  })
})

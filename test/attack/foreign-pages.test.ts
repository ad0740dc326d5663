/** Web pages of others that call a server on the machine of the person who reads them. */
import { workDatasets } from '#synoptic/data/catalogue/dataset.js'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { createRecommend } from '#synoptic/search/service/recommend.js'
import { createBrowse } from '#synoptic/search/browse/browse.js'
import { createKnowledge } from '#synoptic/search/knowledge/dataset-knowledge.js'
import { createMcpEndpoint } from '#synoptic/server/mcp/serve-http.js'
import type { ServerSettings } from '#synoptic/base/config/settings.js'
import { createFeedbackFile } from '#synoptic/server/http/feedback-file.js'
import type { HttpServer } from '#synoptic/server/http/server.js'
import { question, withServer, type TestApp } from '../http/harness.js'
import { WordRanker } from '../http/word-ranker.js'
import { createWorld } from '../search/world.js'

const evil = 'https://evil.example'

/** As a browser sends it: with a Host of the page's choice. */
async function call(
  { address }: HttpServer,
  { path = '/searchmodel/anime', body, ...headers }: Record<string, string>,
) {
  const outgoing = request({
    port: address.port,
    host: address.address,
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  })
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

const search = { body: JSON.stringify(question) }
const feedbackCall = { path: '/feedback/anime', body: '{"query":"a robot","work":1000,"rank":1}' }
const tools = {
  path: '/mcp',
  body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  accept: 'application/json, text/event-stream',
}

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-attack-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const { catalogue, search: similar } = createWorld()
const knowledge = createKnowledge(catalogue)
const ranked = new WordRanker(catalogue)

const serving = (
  changes: Partial<ServerSettings>,
  task: (server: HttpServer & TestApp) => Promise<void>,
) =>
  withServer(changes, task, {
    feedback: createFeedbackFile(join(scratch, 'meant.jsonl')),
    mcp: createMcpEndpoint(
      {
        catalogue,
        similar,
        ranked,
        recommend: createRecommend({ catalogue, knowledge, ranked }),
        browse: createBrowse({ catalogue, knowledge }),
        adult: 'exclude',
      },
      workDatasets,
    ),
  })

describe('a name that an attacker lets resolve to this machine', () => {
  it.each(['evil.example', 'evil.example:8000', 'localhost.evil.example', '192.0.2.1', '127.evil'])(
    'is refused: %s',
    async (host) => {
      await serving({}, async (server) => {
        for (const path of ['/', '/models', '/openapi.json', '/metrics', '/livez', '/nothing']) {
          const { status, body } = await call(server, { path, host })
          expect(status).toBe(403)
          expect(body).toContain('urn:synoptic:problem:foreign-request')
        }
        expect((await call(server, { ...search, host })).status).toBe(403)
        expect(server.world.encoder.encoded).toEqual([])
      })
    },
  )

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST:8000', '127.1.2.3', '[::1]:8000', 'a.localhost'])(
    'is not %s, which is answered',
    async (host) => {
      await serving({}, async (server) => {
        expect((await call(server, { ...search, host })).status).toBe(200)
      })
    },
  )

  it('is refused over HTTP/2', async () => {
    await serving({ h2c: true }, async (server) => {
      const session = connectHttp2(`http://127.0.0.1:${server.address.port}`)
      try {
        for (const [authority, expected] of [
          ['evil.example', 403],
          ['localhost', 200],
        ] as const) {
          const stream = session.request({ ':path': '/livez', ':authority': authority })
          const [head] = (await once(stream, 'response')) as [Record<string, unknown>]
          expect(head[':status']).toBe(expected)
          stream.resume()
        }
      } finally {
        session.destroy()
      }
    })
  })

  it('is answered where --allowed-hosts names it, and nothing else', async () => {
    await serving({ allowedHosts: ['Search.example.org'] }, async (server) => {
      expect((await call(server, { ...search, host: 'search.example.org' })).status).toBe(200)
      expect((await call(server, { ...search, host: 'localhost' })).status).toBe(200)
      expect((await call(server, { ...search, host: 'example.org' })).status).toBe(403)
    })
  })

  it('is nothing that a server for other machines could know, unless it is given its names', async () => {
    await serving({ host: '0.0.0.0' }, async (server) => {
      expect((await call(server, { ...search, host: 'any.example' })).status).toBe(200)
    })
    await serving({ host: '0.0.0.0', allowedHosts: ['a.example'] }, async (server) => {
      expect((await call(server, { ...search, host: 'a.example' })).status).toBe(200)
      expect((await call(server, { ...search, host: 'evil.example' })).status).toBe(403)
    })
  })
})

describe('a page of another origin', () => {
  it.each([evil, 'null', 'http://127.0.0.1:1', 'http://localhost.evil.example', 'file://'])(
    'reads nothing and writes nothing on a machine that serves itself: %s',
    async (origin) => {
      await serving({}, async (server) => {
        const searched = await call(server, { ...search, origin })
        expect(searched.headers).not.toHaveProperty('access-control-allow-origin')
        for (const what of [feedbackCall, tools, { path: '/status' }, { path: '/status/events' }]) {
          expect((await call(server, { ...what, origin })).status, what.path).toBe(403)
        }
      })
    },
  )

  it('uses no tools and writes no feedback on a server for others, unless it is on the list', async () => {
    await serving({ host: '0.0.0.0' }, async (server) => {
      const searched = await call(server, { ...search, origin: evil })
      expect(searched.headers['access-control-allow-origin']).toBe('*')
      for (const what of [feedbackCall, tools]) {
        expect((await call(server, { ...what, origin: evil })).status).toBe(403)
      }
    })
    for (const corsOrigins of [['*'], [evil]]) {
      await serving({ corsOrigins }, async (server) => {
        for (const what of [feedbackCall, tools]) {
          expect((await call(server, { ...what, origin: evil })).status).toBe(200)
        }
      })
    }
  })
})

describe('who may go on', () => {
  it('the page of the server itself, also behind a proxy that ends its TLS', async () => {
    await serving({ allowedHosts: ['search.example.org'] }, async (server) => {
      const local = `127.0.0.1:${server.address.port}`
      for (const [host, origin] of [
        [local, `http://${local}`],
        ['search.example.org', 'https://search.example.org'],
        [local, 'https://search.example.org'],
      ] as const) {
        expect((await call(server, { ...feedbackCall, host, origin })).status).toBe(200)
      }
    })
  })

  it('programs, which send no Origin', async () => {
    await serving({}, async (server) => {
      for (const what of [feedbackCall, tools, search]) {
        expect((await call(server, what)).status).toBe(200)
      }
    })
  })
})

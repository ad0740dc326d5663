/** Compression and revalidation, over sockets that show every byte and header. */
import { request, type IncomingHttpHeaders } from 'node:http'
import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { HttpServer } from '#synoptic/server/http/server.js'
import { question, send, withServer } from './harness.js'

/** Absent before Node 22.15. */
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: typeof zlib.gunzipSync }
const hasZstd = zstdDecompressSync !== undefined

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** The bytes as they are: `fetch` would unpack them. */
function ask(
  { address }: HttpServer,
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '' } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: address.port, path, method, headers }
    const outgoing = request({ ...options, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const { statusCode = 0, headers } = incoming
        resolve({ status: statusCode, headers, bytes: Buffer.concat(chunks) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const search = (server: HttpServer, headers: Record<string, string>, change = {}) =>
  ask(
    server,
    '/searchmodel/anime',
    { 'content-type': 'application/json', ...headers },
    { method: 'POST', body: JSON.stringify({ ...question, ...change }) },
  )

function unpacked({ headers, bytes }: Answer): string {
  const encoding = headers['content-encoding']
  if (encoding === undefined) return bytes.toString()
  const unpack = { br: zlib.brotliDecompressSync, gzip: zlib.gunzipSync, zstd: zstdDecompressSync }
  return (unpack[encoding as keyof typeof unpack]?.(bytes) ?? Buffer.from('?')).toString()
}

describe('Accept-Encoding', () => {
  const first = hasZstd ? 'zstd' : 'br'

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', first],
    ['*', first],
    ['gzip;q=0.9, br;q=0.8', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, zstd;q=0, *', 'gzip'],
    ['*;q=0.5, gzip', 'gzip'],
    ['identity;q=0.5, gzip;q=0.4', undefined],
    ['identity, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['', undefined],
    ['gzip;q=nonsense;;,,=', 'gzip'],
    [';q=1', undefined],
  ])('%j is answered in %s', (accepted, encoding) =>
    withServer({}, async (server) => {
      const plain = await search(server, {})
      expect(plain.headers['content-encoding']).toBeUndefined()
      const answer = await search(server, { 'accept-encoding': accepted })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-encoding']).toBe(encoding)
      const results = (text: string) => (JSON.parse(text) as { results: unknown }).results
      expect(results(unpacked(answer))).toEqual(results(unpacked(plain)))
      for (const { headers, bytes } of [plain, answer]) {
        expect(headers.vary).toBe('Accept-Encoding')
        expect(headers['content-type']).toBe('application/json')
        expect(Number(headers['content-length'])).toBe(bytes.length)
      }
      if (encoding !== undefined) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2)
    }),
  )

  it.runIf(hasZstd)('zstd is there where Node has it', () =>
    withServer({}, async (server) => {
      const answer = await search(server, { 'accept-encoding': 'zstd' })
      expect(answer.headers['content-encoding']).toBe('zstd')
      expect(JSON.parse(unpacked(answer))).toHaveProperty('results')
    }),
  )

  it.skipIf(hasZstd)('zstd is passed over where Node lacks it', () =>
    withServer({}, async (server) => {
      const answer = await search(server, { 'accept-encoding': 'zstd' })
      expect(answer.headers['content-encoding']).toBeUndefined()
    }),
  )

  it('leaves short bodies, refusals and empty answers as they are', () =>
    withServer({}, async (server) => {
      const asking = { 'accept-encoding': 'br, gzip' }
      const short = await search(server, asking, { page: 100 })
      const refused = await search(server, asking, { page: 0 })
      const missing = await ask(server, '/nowhere', asking)
      const probe = await ask(server, '/livez', asking)
      for (const answer of [short, refused, missing, probe]) {
        expect(answer.headers['content-encoding']).toBeUndefined()
        // A path that does not exist shows browsers a page.
        expect(answer.headers.vary).toBe(
          answer === missing ? 'Accept-Encoding, Accept' : 'Accept-Encoding',
        )
        expect(() => JSON.parse(answer.bytes.toString()) as unknown).not.toThrow()
      }
      expect([short, refused, missing, probe].map(({ status }) => status)).toEqual([
        200, 400, 404, 200,
      ])
      const options = await ask(server, '/livez', asking, { method: 'OPTIONS' })
      expect([options.status, options.bytes.length]).toEqual([204, 0])
    }))

  it('compresses long problems too', () =>
    withServer({}, async (server) => {
      const wrong = { genres: { any: Array(50).fill(7) } }
      const answer = await search(server, { 'accept-encoding': 'gzip' }, wrong)
      expect(answer.status).toBe(400)
      expect(answer.headers['content-encoding']).toBe('gzip')
      expect(answer.headers['content-type']).toBe('application/problem+json')
      expect(JSON.parse(unpacked(answer))).toMatchObject({ status: 400 })
    }))

  it('compresses batches and files, and has no body for HEAD', () =>
    withServer({}, async (server) => {
      const asking = { 'accept-encoding': 'br' }
      const { description } = question
      const descriptions = [description, description]
      const batch = await search(server, asking, { description: undefined, descriptions })
      expect(JSON.parse(unpacked(batch))).toHaveProperty('answers')
      expect(batch.headers['content-encoding']).toBe('br')
      const page = await ask(server, '/docs/page.css', asking)
      const plain = await ask(server, '/docs/page.css')
      expect(unpacked(page)).toBe(plain.bytes.toString())
      const head = await ask(server, '/openapi.json', asking, { method: 'HEAD' })
      expect([head.status, head.bytes.length]).toEqual([200, 0])
    }))

  it('leaves a stream of events as it is: each event arrives by itself', () =>
    withServer({}, async ({ address }) => {
      const controller = new AbortController()
      const response = await fetch(`http://127.0.0.1:${address.port}/status/events`, {
        headers: { 'accept-encoding': 'gzip, br' },
        signal: controller.signal,
      })
      expect(response.headers.get('content-encoding')).toBeNull()
      expect(response.headers.get('content-type')).toContain('text/event-stream')
      const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
      const { value } = await reader.read()
      expect(Buffer.from(value ?? []).toString()).toContain('data:')
      controller.abort()
    }))
})

describe('If-None-Match', () => {
  const paths = [
    '/',
    '/openapi.json',
    '/docs',
    '/docs/page.js',
    '/models',
    '/titles/anime?prefix=a',
    '/facets/anime',
    '/facets/manga',
    '/status',
  ]
  it.each(paths)('GET %s is answered 304 while nothing has changed', (path) =>
    withServer({}, async (server) => {
      const first = await ask(server, path)
      const etag = first.headers.etag ?? ''
      expect(etag).toMatch(/^W\/"[\w-]{4,}"$/)
      expect(first.headers['cache-control']).toBe('no-cache')
      for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        const again = await ask(server, path, { 'if-none-match': known })
        expect([again.status, again.bytes.length], known).toEqual([304, 0])
        expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache' })
        expect(again.headers.vary).toContain('Accept-Encoding')
      }
      for (const other of ['"other"', 'W/"other"', '', etag.replace(/"/g, ''), '"*"']) {
        const again = await ask(server, path, { 'if-none-match': other })
        expect(again.status, other).toBe(200)
        expect(again.bytes).toEqual(first.bytes)
      }
    }),
  )

  it('means the same for a compressed answer, which has the same weak tag', () =>
    withServer({}, async (server) => {
      const plain = await ask(server, '/facets/anime')
      const asking = { 'accept-encoding': 'gzip' }
      const packed = await ask(server, '/openapi.json', asking)
      expect(packed.headers['content-encoding']).toBe('gzip')
      const known = { ...asking, 'if-none-match': packed.headers.etag ?? '' }
      const again = await ask(server, '/openapi.json', known)
      expect([again.status, again.headers['content-encoding']]).toEqual([304, undefined])
      expect(plain.headers.etag).not.toBe(packed.headers.etag)
    }))

  it('of an entry changes with its dataset and id, and of none is 404', () =>
    withServer({}, async (server) => {
      const [one, other] = server.world.content.anime.works.map(({ id }) => id)
      const first = await ask(server, `/entries/anime/${one}`)
      const { etag = '' } = first.headers
      const again = await ask(server, `/entries/anime/${one}`, { 'if-none-match': etag })
      expect([first.status, again.status]).toEqual([200, 304])
      const next = await ask(server, `/entries/anime/${other}`, { 'if-none-match': etag })
      expect(next.status).toBe(200)
      const none = await ask(server, '/entries/anime/999999', { 'if-none-match': '*' })
      expect([none.status, none.headers.etag]).toEqual([404, undefined])
    }))

  it('is nothing to probes, metrics and POST', () =>
    withServer({}, async (server) => {
      for (const path of ['/livez', '/readyz', '/metrics']) {
        const { status, headers } = await send(server, { path, headers: { 'if-none-match': '*' } })
        expect([status, headers.etag, headers['cache-control']]).toEqual([
          200,
          undefined,
          'no-store',
        ])
      }
      const posted = await search(server, { 'if-none-match': '*' })
      expect([posted.status, posted.headers.etag]).toEqual([200, undefined])
    }))

  it('is read by HEAD as by GET', () =>
    withServer({}, async (server) => {
      const { headers } = await ask(server, '/facets/anime', {}, { method: 'HEAD' })
      const known = { 'if-none-match': headers.etag ?? '' }
      const again = await ask(server, '/facets/anime', known, { method: 'HEAD' })
      expect(again.status).toBe(304)
    }))
})

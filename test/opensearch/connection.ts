/** Connections to a node that fail, are refused, or bring less than the whole: through a proxy before the real node. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createHttp, request, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  createEngine,
  type Engine,
  type EngineOptions,
} from '#synoptic/search/opensearch/engine.js'
import { randomValues } from '../native/npy.js'
import { deleteRows, openShelf, type Shelf } from './shelf.js'

interface Place {
  readonly folder: () => string
  readonly urls: () => readonly string[]
}

const timeoutMs = 60_000
const root = { method: 'GET', path: '/' } as const

export function describeConnection({ folder, urls }: Place): void {
  describe('a connection to the engine', () => {
    const closes: (() => unknown)[] = []
    afterEach(async () => {
      for (const close of closes.splice(0)) await close()
    })

    const connect = (options: Partial<EngineOptions> & Pick<EngineOptions, 'urls'>): Engine => {
      const engine = createEngine({ timeoutMs, ...options })
      closes.push(() => engine.close())
      return engine
    }

    /** Passes everything on, but for what `change` makes of it. */
    const forward =
      (change: (text: string, path: string) => string = (text) => text): RequestListener =>
      (incoming, outgoing) => {
        const { method, url = '/', headers } = incoming
        const passed = request(new URL(url, urls()[0]), { method, headers }, (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (part: string) => (text += part))
          answer.on('end', () => {
            outgoing.statusCode = answer.statusCode ?? 500
            outgoing.setHeader('content-type', 'application/json')
            outgoing.end(change(text, url))
          })
        })
        incoming.pipe(passed)
      }

    async function listen(listener: RequestListener, tls?: { key: string; cert: string }) {
      const server = tls === undefined ? createHttp(listener) : createHttps(tls, listener)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closes.push(() => {
        server.closeAllConnections()
        server.close()
      })
      const { port } = server.address() as AddressInfo
      return `http${tls === undefined ? '' : 's'}://127.0.0.1:${port}`
    }

    it('by TLS trusts the given authority, and no other, and sends the credentials', async () => {
      const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder(), name)) as [
        string,
        string,
      ]
      execFileSync('openssl', [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=127.0.0.1',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        key,
        '-out',
        cert,
      ])
      const good = `Basic ${Buffer.from('me:secret').toString('base64')}`
      const pass = forward()
      const url = await listen(
        (incoming, outgoing) => {
          if (incoming.headers.authorization === good) pass(incoming, outgoing)
          else outgoing.writeHead(401).end('{}')
        },
        { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') },
      )
      const trusted = { urls: [url], ca: cert, username: 'me' }
      expect(await connect({ ...trusted, password: 'secret' }).call(root)).toMatchObject({
        version: { number: '2.19.1' },
      })
      await expect(connect({ ...trusted, password: 'other' }).call(root)).rejects.toMatchObject({
        name: 'IndexUnavailableError',
        message: expect.stringContaining('refuses the credentials') as string,
      })
      await expect(connect({ ...trusted, ca: undefined }).call(root)).rejects.toMatchObject({
        name: 'IndexUnavailableError',
        message: expect.stringContaining('cannot be reached') as string,
      })
      expect(() =>
        createEngine({ urls: [url], timeoutMs, ca: join(folder(), 'none.pem') }),
      ).toThrow('--index-ca: cannot be read')
    })

    it.each([
      ['breaks', (_, outgoing) => outgoing.destroy()],
      ['is too busy', (_, outgoing) => outgoing.writeHead(429).end('{}')],
    ] satisfies [string, RequestListener][])('is tried again where it %s', async (_, refuse) => {
      let attempts = 0
      const pass = forward()
      const url = await listen((incoming, outgoing) => {
        attempts += 1
        if (attempts < 3) refuse(incoming, outgoing)
        else pass(incoming, outgoing)
      })
      expect(await connect({ urls: [url] }).call(root)).toMatchObject({ tagline: /./ })
      expect(attempts).toBe(3)
    })

    it('is not tried again where an answer takes too long', async () => {
      let attempts = 0
      const url = await listen(() => void (attempts += 1))
      await expect(connect({ urls: [url], timeoutMs: 300 }).call(root)).rejects.toThrow(
        'takes too long',
      )
      expect(attempts).toBe(1)
    })

    it('goes to another node where one is away', async () => {
      const engine = connect({ urls: ['http://127.0.0.1:9', ...urls()] })
      for (let i = 0; i < 5; i += 1)
        expect(await engine.call(root)).toMatchObject({ name: 'node0' })
    })

    it('takes so many calls at a time, lets a few wait, and refuses more', async () => {
      const held: (() => void)[] = []
      const url = await listen((_, outgoing) => {
        outgoing.setHeader('content-type', 'application/json')
        held.push(() => outgoing.end('{}'))
      })
      const engine = connect({ urls: [url], concurrency: 2 })
      const calls = Array.from({ length: 30 }, () =>
        engine.call(root).catch((error: unknown) => error),
      )
      const isDone = new Set<number>()
      calls.forEach((call, i) => void call.then(() => isDone.add(i)))
      while (isDone.size < 30) {
        held.splice(0).forEach((end) => end())
        await new Promise((resolve) => setImmediate(resolve))
      }
      const answers = await Promise.all(calls)
      const refused = answers.filter((answer) => answer instanceof Error)
      expect(refused).toHaveLength(30 - 2 - 16)
      expect(refused[0]).toMatchObject({
        message: expect.stringContaining('too many searches wait') as string,
      })
    })

    it('is not used for a while after it failed again and again, until the engine answers', async () => {
      let isBroken = true
      const pass = forward()
      const url = await listen((incoming, outgoing) => {
        if (isBroken) outgoing.writeHead(503).end('{}')
        else pass(incoming, outgoing)
      })
      const engine = connect({ urls: [url] })
      for (let i = 0; i < 5; i += 1) await expect(engine.call(root)).rejects.toThrow('engine fails')
      await expect(engine.call(root)).rejects.toThrow('has failed repeatedly')
      expect(engine.problem()).toContain('not called for now')
      isBroken = false
      const endMs = performance.now() + timeoutMs
      while (engine.problem() !== undefined && performance.now() < endMs)
        await new Promise((resolve) => setTimeout(resolve, 50))
      expect(await engine.call(root)).toMatchObject({ name: 'node0' })
    })

    describe('that brings a part of the answer', () => {
      let shelf: Shelf
      beforeAll(async () => {
        const [rows, dimension] = [200, 16]
        const size = { rows, dimension, matrices: [randomValues(rows * dimension, 3)] }
        shelf = await openShelf({ folder: folder(), urls: urls(), prefix: 'partial', ...size })
        await shelf.publish()
      })

      it.each([
        ['a shard fewer', '"successful":1', '"successful":0'],
        ['what there was in the time', '"timed_out":false', '"timed_out":true'],
      ])('fails: %s', async (_, whole, part) => {
        let isWhole = true
        const url = await listen(
          forward((text, path) =>
            isWhole || !path.includes('_search') ? text : text.replace(whole, part),
          ),
        )
        const index = await shelf.open([url])
        const search = () => index.search(randomValues(16, 4), 1, 5)
        expect((await search()).counts[0]).toBe(5)
        isWhole = false
        await expect(search()).rejects.toMatchObject({
          name: 'IndexUnavailableError',
          message: expect.stringContaining('a part of the index is missing') as string,
        })
      })

      it('fails where a document is missing', async () => {
        const index = await shelf.open()
        await deleteRows(shelf.engine, 'partial-anime-tests-random', [7])
        await expect(index.search(randomValues(16, 4), 1, 200)).rejects.toThrow(
          'a part of the index is missing',
        )
      })
    })
  })
}

/** HTTP/2 without TLS, by Node's client, and HTTP/1 on one port. */
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { ServerSettings } from '#synoptic/base/config/settings.js'
import type { HttpServer } from '#synoptic/server/http/server.js'
import { closed } from '../helpers/sockets.js'
import {
  ask,
  holdEncoder,
  question,
  send,
  sendBytes,
  until,
  untilEncoding,
  withServer,
  type TestApp,
} from './harness.js'

interface Answer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: string
}

const json = { 'content-type': 'application/json' }
const posted = { ':method': 'POST', ':path': '/searchmodel/anime', ...json }

function request(session: ClientHttp2Session, headers: object, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ...headers }, { endStream: body === '' })
    let head: Record<string, unknown> = {}
    let text = ''
    stream.setEncoding('utf8')
    stream.on('response', (received) => (head = received))
    stream.on('data', (chunk: string) => (text += chunk))
    stream.on('error', reject)
    stream.on('close', () =>
      resolve({ status: Number(head[':status']), headers: head, body: text }),
    )
    if (body !== '') stream.end(body)
  })
}

/** Runs a task with a server and a session, which is closed behind it. */
const withSession = (
  changes: Partial<ServerSettings>,
  task: (session: ClientHttp2Session, server: HttpServer & TestApp) => Promise<void>,
) =>
  withServer({ h2c: true, ...changes }, async (server) => {
    const session = connectHttp2(`http://127.0.0.1:${server.address.port}`)
    session.on('error', () => undefined)
    try {
      await task(session, server)
    } finally {
      session.destroy()
    }
  })

describe('--h2c', () => {
  it('answers as HTTP/1 does, many requests of a connection at once', () =>
    withSession({}, async (session, server) => {
      const plain = await ask(server)
      const pendingResponses = Array.from({ length: 40 }, () =>
        request(session, posted, JSON.stringify(question)),
      )
      const results = (text: string) => (JSON.parse(text) as { results: unknown }).results
      for (const { status, headers, body } of await Promise.all(pendingResponses)) {
        expect(status).toBe(200)
        expect(results(body)).toEqual(results(plain.body))
        expect(headers).toMatchObject({
          vary: 'Accept-Encoding',
          'content-type': json['content-type'],
        })
        expect(headers).toHaveProperty('server-timing')
      }
    }))

  it.each([
    [{ ':path': '/nowhere' }, 404],
    [{ ':method': 'DELETE', ':path': '/livez' }, 405],
    [{ ':method': 'OPTIONS', ':path': '*' }, 204],
    [{ ':method': 'HEAD', ':path': '/livez' }, 200],
    [{ ...posted, 'content-type': 'text/plain' }, 415],
    [posted, 400],
  ])('refuses what HTTP/1 refuses: %j', (headers, expected) =>
    withSession({}, async (session, server) => {
      const { status, body, headers: received } = await request(session, headers)
      expect(status).toBe(expected)
      if (expected >= 400) expect(JSON.parse(body)).toMatchObject({ status: expected })
      expect(received).toHaveProperty('x-request-id')
      expect((await send(server, { path: '/livez' })).status).toBe(200)
    }),
  )

  it('counts the client of the connection for the rate limit, and refuses large bodies', () =>
    withSession(
      { rateLimitLoopback: true, rateLimit: { searchmodel: 1 }, rateBurst: 2, bodyLimit: 200 },
      async (session) => {
        const large = JSON.stringify({ ...question, description: 'x'.repeat(500) })
        expect((await request(session, posted, large)).status).toBe(413)
        expect((await request(session, posted, JSON.stringify(question))).status).toBe(200)
        expect((await request(session, posted, JSON.stringify(question))).status).toBe(429)
      },
    ))

  it('streams events', () =>
    withSession({}, async (session) => {
      const stream = session.request({ ':path': '/status/events' }).setEncoding('utf8')
      const event = await new Promise<string>((resolve) => stream.once('data', resolve))
      expect(event).toContain('data:')
      stream.close()
    }))

  it('drops the work of a stream that is reset', () =>
    withSession({}, async (session, server) => {
      const release = holdEncoder(server)
      const stream = session.request(posted)
      stream.on('error', () => undefined)
      stream.end(JSON.stringify(question))
      await untilEncoding(server)
      stream.close(8)
      await until('the work is dropped', () => server.world.encoder.aborted === 1)
      release()
    }))

  it('lets requests finish when the server stops, and takes no more', () =>
    withSession({}, async (session, server) => {
      const release = holdEncoder(server)
      const pending = request(session, posted, JSON.stringify(question))
      await untilEncoding(server)
      const ended = new Promise((resolve) => session.once('goaway', resolve))
      const stopped = server.stop(60_000)
      await ended
      release()
      expect((await pending).status).toBe(200)
      await stopped
      expect(session.closed || session.destroyed).toBe(true)
    }))

  it('requests sessions to end while the server drains, and goes on to take others', () =>
    withSession({}, async (session, server) => {
      expect((await request(session, { ':path': '/livez' })).status).toBe(200)
      const ended = new Promise((resolve) => session.once('goaway', resolve))
      server.drain()
      await ended
      const next = connectHttp2(`http://127.0.0.1:${server.address.port}`)
      expect((await request(next, { ':path': '/livez' })).status).toBe(200)
      next.destroy()
      expect((await ask(server)).status).toBe(200)
    }))

  it('cuts requests off that take longer than the stop allows', () =>
    withSession({}, async (session, server) => {
      const release = holdEncoder(server)
      const pending = request(session, posted, JSON.stringify(question)).catch(() => undefined)
      await untilEncoding(server)
      await server.stop(10)
      release()
      expect((await pending)?.status).not.toBe(200)
    }))

  it('does not wait for connections that say nothing', () =>
    withSession({}, async (_, server) => {
      const sockets = ['', 'P', 'PRI * HT'].map((bytes) => {
        const socket = connect(server.address.port, '127.0.0.1')
        socket.write(bytes)
        return socket
      })
      await Promise.all(
        sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))),
      )
      await server.stop(60_000)
      await Promise.all(sockets.map(closed))
    }))

  it('cuts off who does not say in time what it speaks', () =>
    withSession({ requestTimeout: 0.2 }, async (_, server) => {
      expect(await sendBytes(server, 'PRI * HTTP/2.0\r\n')).toBe('')
    }))

  it('goes on to speak HTTP/1, however its bytes arrive', () =>
    withSession({}, async (_, server) => {
      const get = 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
      expect(await sendBytes(server, get)).toContain('200 OK')
      const socket = connect(server.address.port, '127.0.0.1').setEncoding('utf8').setNoDelay()
      let received = ''
      socket.on('data', (text: string) => (received += text))
      for (const letter of get) await new Promise((resolve) => socket.write(letter, resolve))
      await closed(socket)
      expect(received).toContain('200 OK')
      expect(
        await sendBytes(
          server,
          'PROPFIND / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
        ),
      ).toContain('405')
      expect(await sendBytes(server, 'nonsense\r\n\r\n')).toContain('400 Bad Request')
      expect(
        await sendBytes(server, `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${'x'.repeat(100)}`),
      ).not.toContain('200')
      expect((await send(server, { path: '/livez' })).status).toBe(200)
    }))

  it('is off by default: the preface is no request', () =>
    withServer({}, async (server) => {
      const answer = await sendBytes(server, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
      expect(answer).not.toContain('200')
      expect((await send(server, { path: '/livez' })).status).toBe(200)
    }))
})

/** Bodies that never end, in either direction: requests that stop half way, and responses that nobody reads. */
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { ServerSettings } from '#synoptic/base/config/settings.js'
import { listen, type HttpServer } from '#synoptic/server/http/server.js'
import { ask, question, until, withServer } from '../http/harness.js'
import { closed } from '../helpers/sockets.js'

const headOf = (length: number, more = '') =>
  'POST /searchmodel/anime HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${length}\r\n${more}\r\n`

interface Client {
  readonly socket: Socket
  readonly received: () => string
}

/** A client that sends these bytes, and no more. */
async function sending({ address }: HttpServer, bytes: string): Promise<Client> {
  const socket = connect(address.port, '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', (text: string) => (received += text)).on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(bytes)
  return { socket, received: () => received }
}

describe('requests that stop half way', () => {
  it('give way to others when they hold more memory than all bodies may', () =>
    withServer({ transferMemory: 1, bodyLimit: 400_000, requestTimeout: 600 }, async (server) => {
      const bytes = headOf(350_000) + 'x'.repeat(300_000)
      const clients: Client[] = []
      for (let i = 0; i < 20; i += 1) clients.push(await sending(server, bytes))
      const refused = () => clients.filter(({ received }) => received().includes('503 '))
      await until('most are refused', () => refused().length >= 16)
      for (const { received } of refused()) {
        expect(received()).toContain('urn:synoptic:problem:overloaded')
        expect(received().toLowerCase()).toContain('retry-after: ')
      }
      expect((await ask(server)).status).toBe(200)
      // The others hold less than what all may hold.
      expect(refused().length).toBeLessThan(20)
      for (const { socket } of clients) socket.destroy()
    }))

  it('get a response when their time is up', () =>
    withServer({ requestTimeout: 0.3, h2c: true }, async (server) => {
      const { socket, received } = await sending(server, `${headOf(100)}{"model":`)
      await closed(socket)
      expect(received()).toMatch(/^HTTP\/1\.1 408 /)
      const session = connectHttp2(`http://127.0.0.1:${server.address.port}`)
      const stream = session.request({
        ':method': 'POST',
        ':path': '/searchmodel/anime',
        'content-type': 'application/json',
      })
      stream.on('error', () => undefined).write('{"model":')
      const [head] = (await once(stream, 'response')) as [Record<string, unknown>]
      expect(head[':status']).toBe(408)
      session.destroy()
    }))
})

describe('Expect: 100-continue', () => {
  const expecting = 'Expect: 100-continue\r\n'

  it('is not followed by an invitation to send a body that is too large', () =>
    withServer({}, async (server) => {
      const { socket, received } = await sending(server, headOf(2_000_000, expecting))
      await until('there is a response', () => received().includes('payload-too-large'))
      expect(received()).toMatch(/^HTTP\/1\.1 413 /)
      socket.destroy()
    }))

  it('invites every other body', () =>
    withServer({ h2c: true }, async (server) => {
      const body = JSON.stringify(question)
      const { socket, received } = await sending(server, headOf(body.length, expecting))
      await until('it is invited', () => received() === 'HTTP/1.1 100 Continue\r\n\r\n')
      socket.write(body)
      await until('there is a response', () => received().includes('HTTP/1.1 200 '))
      socket.destroy()
      const session = connectHttp2(`http://127.0.0.1:${server.address.port}`)
      const stream = session.request({
        ':method': 'POST',
        ':path': '/searchmodel/anime',
        'content-type': 'application/json',
        expect: '100-continue',
      })
      await once(stream, 'continue')
      stream.end(body)
      const [head] = (await once(stream, 'response')) as [Record<string, unknown>]
      expect(head[':status']).toBe(200)
      session.destroy()
    }))
})

describe('responses that nobody reads', () => {
  const large = 'x'.repeat(16_000_000)
  const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

  /** Counts what has closed. */
  async function withLarge(
    changes: Partial<ServerSettings>,
    task: (server: HttpServer & { readonly closed: () => number }) => Promise<void>,
  ): Promise<void> {
    let count = 0
    const settings = { host: '127.0.0.1', port: 0, timeout: 60, requestTimeout: 60 }
    const server = await listen(
      {
        fetch(_, { outgoing }) {
          outgoing?.once('close', () => (count += 1))
          return new Response(large)
        },
      },
      { ...settings, transferMemory: 1024, ...changes },
    )
    try {
      await task({ ...server, closed: () => count })
    } finally {
      await server.stop(0)
    }
  }

  /** A client that reads nothing. */
  async function asking(server: HttpServer): Promise<Socket> {
    const { socket } = await sending(server, get)
    return socket.pause()
  }

  it('lose their connection', () =>
    withLarge({ requestTimeout: 0.1 }, async (server) => {
      await asking(server)
      await until('the response has closed', () => server.closed() === 1)
    }))

  it('give way to others when they hold more memory than all may', () =>
    withLarge({ transferMemory: 40 }, async (server) => {
      for (let i = 0; i < 6; i += 1) await asking(server)
      await until('all but two have closed', () => server.closed() === 4)
    }))
})

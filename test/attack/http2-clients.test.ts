/** Clients of HTTP/2 that leave or stop reading in the middle of a response, or take their requests back. */
import { once } from 'node:events'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listen, type HttpServer } from '#synoptic/server/http/server.js'
import { question, send, until, withServer } from '../http/harness.js'
import { closed } from '../helpers/sockets.js'

/** Far more than a client may receive before it says that it has read something. */
const large = 'x'.repeat(4_000_000)

interface Large extends HttpServer {
  /** Responses that have closed, whole or not. */
  readonly closed: () => number
}

/** A server whose responses are large. A response that is not read is cut off after 3.2 seconds. */
async function withLarge(task: (server: Large) => Promise<void>): Promise<void> {
  let count = 0
  const app = {
    fetch(
      _: Request,
      { outgoing }: { outgoing?: { once(name: 'close', does: () => void): void } },
    ) {
      outgoing?.once('close', () => (count += 1))
      return new Response(large)
    },
  }
  const settings = {
    host: '127.0.0.1',
    port: 0,
    timeout: 1,
    requestTimeout: 0.2,
    h2c: true,
    transferMemory: 64,
  }
  const server = await listen(app, settings)
  try {
    await task({ ...server, closed: () => count })
  } finally {
    await server.stop(0)
  }
}

interface Client {
  readonly socket: Socket
  readonly session: ClientHttp2Session
}

/** A client that has received the beginning of its response. */
async function begun({ address }: HttpServer, settings = {}): Promise<Client> {
  const socket = connect(address.port, '127.0.0.1')
  const session = connectHttp2(`http://127.0.0.1:${address.port}`, {
    createConnection: () => socket,
    settings,
  })
  session.on('error', () => undefined)
  socket.on('error', () => undefined)
  const stream = session.request({ ':path': '/' })
  stream.on('error', () => undefined)
  await once(stream, 'response')
  return { socket, session }
}

describe('a client that leaves in the middle of a response', () => {
  it.each<[string, (client: Client) => unknown]>([
    ['ends its connection', ({ socket }) => socket.end()],
    ['resets its connection', ({ socket }) => socket.resetAndDestroy()],
    ['says so', ({ session }) => session.destroy()],
  ])('leaves nothing behind when it %s', (_, leave) =>
    withLarge(async (server) => {
      const clients = await Promise.all(Array.from({ length: 20 }, () => begun(server)))
      for (const client of clients) leave(client)
      await until('all responses have ended', () => server.closed() === 20)
      await Promise.all(clients.map(({ socket }) => closed(socket)))
      // Waits for connections that are open.
      await server.stop(600_000)
    }),
  )
})

describe('a client that reads nothing', () => {
  it('loses its response, and then its connection', () =>
    withLarge(async (server) => {
      const clients = [
        ...(await Promise.all(
          Array.from({ length: 5 }, () => begun(server, { initialWindowSize: 0 })),
        )),
        await begun(server),
      ]
      // Nothing more leaves the kernel's buffer.
      clients.at(-1)?.socket.pause()
      await until('all responses have ended', () => server.closed() === 6)
      await server.stop(600_000)
    }))
})

describe('requests that are taken back at once', () => {
  it('cost next to nothing, and are no failures of the server', () =>
    withServer({ h2c: true }, async (server) => {
      const session = connectHttp2(`http://127.0.0.1:${server.address.port}`)
      session.on('error', () => undefined)
      await once(session, 'remoteSettings')
      for (let round = 0; round < 10; round += 1) {
        const streams = Array.from({ length: 50 }, () =>
          session.request({
            ':method': 'POST',
            ':path': '/searchmodel/anime',
            'content-type': 'application/json',
          }),
        )
        const ended = streams.map((stream) => {
          stream.on('error', () => undefined).write(JSON.stringify(question).slice(0, 20))
          stream.destroy()
          return once(stream, 'close')
        })
        await Promise.all(ended)
        expect((await send(server, { path: '/livez' })).status).toBe(200)
      }
      session.destroy()
      const posts = server.log.filter(({ method }) => method === 'POST')
      expect(posts.filter(({ status }) => status !== 499)).toEqual([])
      expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
    }))

  it('are no failures either when the server has begun to read them', () =>
    withServer({ h2c: true }, async (server) => {
      const session = connectHttp2(`http://127.0.0.1:${server.address.port}`)
      const streams = Array.from({ length: 20 }, (_, i) => {
        const stream = session.request({
          ':method': 'POST',
          ':path': '/searchmodel/anime',
          'content-type': 'application/json',
          // With a length the body is read in another way than without.
          ...(i % 2 === 0 && { 'content-length': '100' }),
        })
        stream.on('error', () => undefined).write('{"model":')
        return stream
      })
      await new Promise((resolve) => session.ping(() => resolve(undefined)))
      await send(server, { path: '/livez' })
      for (const stream of streams) stream.destroy()
      await until(
        'all have a line in the log',
        () => server.log.filter(({ method }) => method === 'POST').length === 20,
      )
      session.destroy()
      const posts = server.log.filter(({ method }) => method === 'POST')
      expect(new Set(posts.map(({ problem }) => problem))).toEqual(new Set(['client-gone']))
    }))
})

/**
 * HTTP/2 without TLS and HTTP/1 on one port, for proxies that know beforehand that it is there (RFC 9113, 3.3).
 * The first bytes of a connection show which of the two it speaks.
 */
import type { Server } from 'node:http'
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
} from 'node:http2'
import type { Socket } from 'node:net'
import { passExpectations } from './expectations.js'

export interface H2c {
  /** Sends GOAWAY to the clients of all sessions; sessions end with their last response. */
  drain(): void
  /** Drains, and closes connections that have said nothing. */
  stop(): void
  /** Cuts off what is left. */
  destroy(): void
}

export interface H2cOptions {
  readonly listener: (incoming: Http2ServerRequest, outgoing: Http2ServerResponse) => void
  /** A connection that says nothing for so long is closed, once its requests have their responses. */
  readonly idleMs: number
  /** A response is cut off after the client has read nothing for this long. */
  readonly stalledMs: number
  /** A client that has not sent its first bytes by then is cut off. */
  readonly greetingMs: number
}

/** As many requests as proxies usually send at once; others wait at the client. */
const maxConcurrentStreams = 128

/** An ended session is cut off when its client has not read the end after this long. */
const lingerMs = 1000

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** The HTTP/1 server goes on to own the port and every connection. */
export function acceptH2c(
  server: Server,
  { listener, idleMs, stalledMs, greetingMs }: H2cOptions,
): H2c {
  const sessions = new Map<Http2Session, Socket>()
  /** Connections that have sent no first bytes yet. */
  const silent = new Set<Socket>()
  const http2 = createServer({ settings: { maxConcurrentStreams, enablePush: false } })
  passExpectations(http2)
  http2.on('request', (incoming, outgoing) => {
    const { stream } = incoming
    stream.setTimeout(stalledMs, () => {
      stream.close(constants.NGHTTP2_CANCEL)
      cutSoon(stream.session)
    })
    // A reset often arrives together with its request, which then costs nothing more.
    setImmediate(() => {
      if (!stream.destroyed && !incoming.aborted) listener(incoming, outgoing)
    })
  })

  /** A session ends its socket, and waits for the client to read what is left. */
  function cutSoon(session: Http2Session | undefined): void {
    setTimeout(() => {
      if (session?.destroyed) sessions.get(session)?.destroy()
    }, lingerMs).unref()
  }

  function accept(socket: Socket): void {
    // An HTTP/1 server keeps sockets half open. One of HTTP/2 ends with the client's end, and its streams with it.
    socket.allowHalfOpen = false
    http2.once('session', (session) => {
      sessions.set(session, socket)
      session.once('close', () => sessions.delete(session))
      session.setTimeout(idleMs, () => {
        session.close()
        cutSoon(session)
      })
    })
    http2.emit('connection', socket)
  }

  // A client that breaks the protocol or its connection loses that connection, which is all there is to do.
  http2.on('sessionError', () => undefined)

  const http1Listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    const forget = () => silent.delete(socket)
    const cut = () => socket.destroy()
    const timer = setTimeout(cut, greetingMs)
    socket.once('close', forget).on('error', cut)
    let received = Buffer.alloc(0)
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const begins = preface
        .subarray(0, received.length)
        .equals(received.subarray(0, preface.length))
      if (begins && received.length < preface.length) return
      clearTimeout(timer)
      forget()
      socket.off('data', onData).off('close', forget).off('error', cut)
      socket.pause()
      socket.unshift(received)
      if (begins) accept(socket)
      else {
        for (const begin of http1Listeners) begin.call(server, socket)
        socket.resume()
      }
    }
    socket.on('data', onData).once('close', () => clearTimeout(timer))
  })

  const drain = () => {
    for (const session of sessions.keys()) session.close()
  }
  return {
    drain,
    stop() {
      drain()
      for (const socket of silent) socket.destroy()
    },
    destroy() {
      for (const [session, socket] of sessions) {
        session.destroy()
        socket.destroy()
      }
    },
  }
}

/**
 * HTTP/2 without TLS beside HTTP/1 on one port, for proxies that know beforehand that it is there (RFC 9113, 3.3).
 * The first bytes of a connection tell which of the two it speaks.
 */
import type { Server } from 'node:http'
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { Socket } from 'node:net'

export interface H2c {
  /** Tells clients of the sessions there are to send no more; sessions end with their last response. */
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
  /** A client that has not told by then what it speaks is cut off. */
  readonly greetingMs: number
}

/** As many requests as proxies usually send at once; others wait at the client. */
const maxConcurrentStreams = 128

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** The HTTP/1 server goes on to own the port and every connection. */
export function acceptH2c(server: Server, { listener, idleMs, greetingMs }: H2cOptions): H2c {
  const sessions = new Set<ServerHttp2Session>()
  /** Connections that have not told yet. */
  const silent = new Set<Socket>()
  const http2 = createServer({ settings: { maxConcurrentStreams, enablePush: false } }, listener)
  http2.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    session.setTimeout(idleMs, () => session.close())
  })
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
      if (begins) http2.emit('connection', socket)
      else {
        for (const accept of http1Listeners) accept.call(server, socket)
        socket.resume()
      }
    }
    socket.on('data', onData).once('close', () => clearTimeout(timer))
  })

  const drain = () => {
    for (const session of sessions) session.close()
  }
  return {
    drain,
    stop() {
      drain()
      for (const socket of silent) socket.destroy()
    },
    destroy() {
      for (const session of sessions) session.destroy()
    },
  }
}

/**
 * Refusals written on the socket itself, where Node gives no response object. A refusal waits until every whole
 * request before it has its response, and is left out where the broken request already has one.
 */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { problemResponse } from '../problems/problem.js'

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

interface Connection {
  /** Whose responses have not been written whole. */
  readonly pending: Set<Exchange>
  last?: Exchange
  /** Why nothing more is read. */
  error?: Error
}

export interface Connections {
  add(incoming: IncomingMessage, outgoing: ServerResponse): void
  /** Whether a refusal takes the place of this request's response. */
  isRefused(incoming: IncomingMessage): boolean
  refuse(error: Error, socket: Duplex): void
}

const lingerMs = 1000

export function createConnections(): Connections {
  const connections = new WeakMap<Duplex, Connection>()

  function of(socket: Duplex): Connection {
    let connection = connections.get(socket)
    if (connection === undefined) {
      connection = { pending: new Set() }
      connections.set(socket, connection)
    }
    return connection
  }

  function settle({ pending, last, error }: Connection, socket: Duplex): void {
    if (error === undefined) return
    for (const { incoming, outgoing } of pending) {
      if (incoming.complete || outgoing.headersSent) return
    }
    const hasResponse = last !== undefined && !last.incoming.complete && last.outgoing.headersSent
    if (!socket.writable) return
    socket.end(hasResponse ? undefined : bytesOf(error))
    // The client reads the refusal first; one that never closes its end would keep the connection for good.
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }

  return {
    add(incoming, outgoing) {
      const { socket } = incoming
      const connection = of(socket)
      const exchange = { incoming, outgoing }
      connection.pending.add(exchange)
      connection.last = exchange
      outgoing.once('close', () => {
        connection.pending.delete(exchange)
        settle(connection, socket)
      })
    },
    isRefused: (incoming) => of(incoming.socket).error !== undefined && !incoming.complete,
    refuse(error, socket) {
      const connection = of(socket)
      if (connection.error !== undefined) return
      connection.error = error
      settle(connection, socket)
    },
  }
}

function bytesOf(error: Error): string {
  const { kind, body, headers } = problemResponse(error, randomUUID())
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  const lines = Object.entries({ ...headers, 'Content-Length': length, Connection: 'close' })
  return [
    `HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status] ?? ''}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    text,
  ].join('\r\n')
}

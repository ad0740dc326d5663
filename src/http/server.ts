/** Listening: the app behind node:http, with bounds on every connection, and a stop that drains. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { STATUS_CODES, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import type { ServerSettings } from '../config/settings.js'
import { HeadersTooLargeError } from '../errors/headers-too-large-error.js'
import { ListenError } from '../errors/listen-error.js'
import { MalformedRequestError } from '../errors/malformed-request-error.js'
import { SlowRequestError } from '../errors/slow-request-error.js'
import { problemResponse } from './problem.js'

export interface HttpServer {
  readonly address: AddressInfo
  /** Takes no more connections, lets requests finish for at most `graceMs`, then cuts them off. */
  stop(graceMs: number): Promise<void>
}

/** What serves requests, such as a Hono app. */
export interface FetchApp {
  fetch(request: Request, bindings: Partial<HttpBindings>): Response | Promise<Response>
}

export interface SocketOptions {
  /** Other processes listen on the port too; the kernel spreads the connections. */
  readonly reusePort?: boolean
}

type ListenSettings = Pick<ServerSettings, 'host' | 'port' | 'timeout' | 'requestTimeout'> &
  SocketOptions

/** @throws ListenError */
export async function listen(
  app: FetchApp,
  { host, port, timeout, requestTimeout, reusePort }: ListenSettings,
): Promise<HttpServer> {
  const listener = getRequestListener(serveHost(app), {
    errorHandler: refuseTarget,
    // HTTP/1.0, which probes still speak, needs no Host.
    hostname: 'localhost',
  })
  const server = createServer(
    {
      // Node refuses a missing Host with an empty body; `serveHost` sends a problem.
      requireHostHeader: false,
      keepAliveTimeout: timeout * 1000,
      // A client that sends its headers or its body drop by drop is cut off.
      headersTimeout: requestTimeout * 1000,
      requestTimeout: requestTimeout * 1000,
      connectionsCheckingInterval: Math.min(requestTimeout * 1000, 5000),
    },
    (incoming, outgoing) => {
      const begin = () => {
        // While the server stops, a connection ends with its response.
        if (!server.listening) outgoing.shouldKeepAlive = false
        void listener(incoming, outgoing)
      }
      // Requests of a pipeline run one after the other: Node closes only the current one when the client leaves.
      if (outgoing.socket === null) outgoing.once('socket', begin)
      else begin()
    },
  )
  server.on('clientError', refuseBytes)
  await bind(server, host, port, reusePort)
  return { address: server.address() as AddressInfo, stop: (graceMs) => stop(server, graceMs) }
}

/** Binds the port and closes it again. @throws ListenError */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer()
  await bind(server, host, port)
  await stop(server, 0)
}

/**
 * Connections that may wait to be accepted; the system may allow fewer. A client beyond them retries after
 * one, two and four seconds, and many clients at once soon fill Node's default of 511.
 */
const maxUnaccepted = 65_535

async function bind(server: Server, host: string, port: number, reusePort = false): Promise<void> {
  // Node's types know `reusePort` from version 22 on; older versions of Node pass over it.
  server.listen({ port, host, backlog: maxUnaccepted, ...(reusePort && { reusePort }) })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new ListenError(host, port, error)
  }
}

const serveHost =
  (app: FetchApp) =>
  (request: Request, bindings: HttpBindings | Http2Bindings): Response | Promise<Response> => {
    const { httpVersion, headers } = bindings.incoming
    if (headers.host === undefined && httpVersion === '1.1') return refuseTarget(undefined)
    return app.fetch(request, bindings as HttpBindings)
  }

async function stop(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const closing = setInterval(() => server.closeIdleConnections(), closeIdleIntervalMs)
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(closing)
  clearTimeout(cut)
}

/** How often the stop closes connections that have become idle. */
const closeIdleIntervalMs = 50

/** For a target or Host that cannot be read: the request never reaches the app. */
function refuseTarget(error: unknown): Response {
  const { kind, body, headers } = problemResponse(malformed(error), randomUUID())
  return new Response(JSON.stringify(body), { status: kind.status, headers })
}

/** For a request that Node cannot parse, or stopped waiting for: there is no response object. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { kind, body, headers } = problemResponse(malformed(error), randomUUID())
  const text = JSON.stringify(body)
  const lines = Object.entries({ ...headers, 'Content-Length': text.length, Connection: 'close' })
  socket.end(
    [
      `HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status] ?? ''}`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
      '',
      text,
    ].join('\r\n'),
  )
}

function malformed(cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLargeError({ cause })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new SlowRequestError({ cause })
  return new MalformedRequestError({ cause })
}

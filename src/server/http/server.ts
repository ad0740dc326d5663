/** Listening: the app behind node:http, with bounds on every connection, and a stop in two steps that loses no request. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { Server as NetServer, type AddressInfo } from 'node:net'
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import type { ServerSettings } from '../../base/config/settings.js'
import {
  ExpectationFailedError,
  HeadersTooLargeError,
  ListenError,
  MalformedRequestError,
  MethodNotAllowedError,
  SlowRequestError,
  StoppingError,
  TransferCodingError,
} from '../../base/errors/index.js'
import { createConnections } from './connections.js'
import type { AppBindings } from './env.js'
import { passExpectations } from './expectations.js'
import { acceptH2c, type H2c } from './h2c.js'
import { watchIdleConnections } from './idle-connections.js'
import { problemResponse } from '../problems/problem.js'
import { createTransfers, type Transfers } from './transfers.js'
import { errorShapeOf, type ErrorShape } from './v1/error-shapes.js'

export interface HttpServer {
  readonly address: AddressInfo
  /** Goes on serving, and ends each connection with its next response: who comes again may find another replica. */
  drain(): void
  /**
   * Takes no more connections, lets requests finish for at most `graceMs`, then cuts them off. A request that comes
   * on an open connection is not begun: it is refused as safe to send again.
   */
  stop(graceMs: number): Promise<void>
}

type Incoming = IncomingMessage | Http2ServerRequest
type Outgoing = ServerResponse | Http2ServerResponse

/** A request has no traffic while it is served, and a stream of events little. */
const stalledMarginMs = 3000

/** What serves requests, such as a Hono app. */
export interface FetchApp {
  fetch(request: Request, bindings: AppBindings): Response | Promise<Response>
}

export interface SocketOptions {
  /** Other processes listen on the port too; the kernel spreads the connections. */
  readonly reusePort?: boolean
}

type ListenSettings = Pick<
  ServerSettings,
  'host' | 'port' | 'timeout' | 'requestTimeout' | 'transferMemory'
> &
  Partial<Pick<ServerSettings, 'h2c'>> &
  SocketOptions

/** @throws ListenError */
export async function listen(
  app: FetchApp,
  { host, port, timeout, requestTimeout, h2c, transferMemory, reusePort }: ListenSettings,
): Promise<HttpServer> {
  const connections = createConnections()
  const stalledMs = requestTimeout * 1000 + stalledMarginMs
  let isDraining = false
  const isStopping = () => isDraining && !server.listening
  const transfers = createTransfers(transferMemory * 2 ** 20)
  const listener = getRequestListener(serveSound(app, { isStopping, transfers }), {
    errorHandler: (error) => problemOf(malformed(error)),
    // HTTP/1.0, which probes still speak, needs no Host.
    hostname: 'localhost',
  })
  const serve = (incoming: Incoming, outgoing: Outgoing) => {
    if (incoming.method === 'OPTIONS' && incoming.url === '*') {
      outgoing.setHeader('Allow', methods.join(', '))
      outgoing.setHeader('X-Request-Id', randomUUID())
      outgoing.writeHead(204)
      outgoing.end()
    } else void listener(incoming, outgoing).then(() => countUnread(outgoing, transfers))
  }
  const server = createServer(
    {
      // Node refuses a missing Host with an empty body; `serveSound` sends a problem.
      requireHostHeader: false,
      keepAliveTimeout: timeout * 1000,
      // A client that sends its headers or its body drop by drop is cut off.
      headersTimeout: requestTimeout * 1000,
      requestTimeout: requestTimeout * 1000,
      connectionsCheckingInterval: Math.min(requestTimeout * 1000, 5000),
    },
    (incoming, outgoing) => {
      connections.add(incoming, outgoing)
      const begin = () => {
        if (connections.isRefused(incoming)) return
        if (isDraining) outgoing.shouldKeepAlive = false
        serve(incoming, outgoing)
      }
      // Requests of a pipeline run one after the other: Node closes only the current one when the client leaves.
      if (outgoing.socket === null) outgoing.once('socket', begin)
      else begin()
    },
  )
  // Closes connections without traffic, as of clients that read nothing of their response.
  server.timeout = stalledMs
  const closeIdle = watchIdleConnections(server)
  // Node would send an empty 417; `serveSound` sends a problem.
  passExpectations(server)
  server.on('connect', ({ method }, socket) => {
    connections.refuse(new MethodNotAllowedError(String(method), methods), socket)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else connections.refuse(malformed(error), socket)
  })
  const greetingMs = requestTimeout * 1000
  const http2 = h2c
    ? acceptH2c(server, { listener: serve, idleMs: timeout * 1000, stalledMs, greetingMs })
    : undefined
  await bind(server, host, port, reusePort)
  const address = server.address() as AddressInfo
  const drain = () => {
    isDraining = true
    http2?.drain()
  }
  return {
    address,
    drain,
    stop(graceMs) {
      drain()
      return stop(server, graceMs, { http2, closeIdle })
    },
  }
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

/** Methods that some path has. */
const methods = ['GET', 'HEAD', 'POST', 'OPTIONS']

const serveSound =
  (
    app: FetchApp,
    { isStopping, transfers }: { isStopping: () => boolean; readonly transfers: Transfers },
  ) =>
  (request: Request, bindings: HttpBindings | Http2Bindings): Response | Promise<Response> => {
    const { incoming } = bindings as HttpBindings
    const fault = isStopping() ? new StoppingError() : faultOf(incoming)
    if (fault === undefined) return app.fetch(request, { ...(bindings as HttpBindings), transfers })
    return problemOf(fault, errorShapeOf(request.method, new URL(request.url).pathname))
  }

/** A response that has been written waits in memory until the client has read it. */
function countUnread(outgoing: Outgoing, transfers: Transfers): void {
  if (outgoing.writableFinished || outgoing.destroyed) return
  const transfer = transfers.begin(() => outgoing.destroy())
  outgoing.once('close', () => transfer.end())
  transfer.grow(outgoing.writableLength)
}

/** What Node's parser takes and HTTP forbids. */
function faultOf({ httpVersion, headers, rawHeaders }: IncomingMessage): Error | undefined {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return new MalformedRequestError()
  const { expect = '100-continue', 'transfer-encoding': coding = 'chunked' } = headers
  if (expect.toLowerCase() !== '100-continue') return new ExpectationFailedError()
  return coding.toLowerCase() === 'chunked' ? undefined : new TransferCodingError()
}

interface Stopping {
  readonly http2?: H2c | undefined
  readonly closeIdle?: () => void
}

async function stop(
  server: Server,
  graceMs: number,
  { http2, closeIdle }: Stopping = {},
): Promise<void> {
  // An HTTP server's own `close` also closes idle connections at once.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  http2?.stop()
  const closing = setInterval(() => closeIdle?.(), closeIdleIntervalMs)
  const cut = setTimeout(() => {
    server.closeAllConnections()
    http2?.destroy()
  }, graceMs)
  await closed
  clearInterval(closing)
  clearTimeout(cut)
}

/** How often the stop closes connections that have become idle. */
const closeIdleIntervalMs = 50

/** For a request that never reaches the app. */
function problemOf(error: Error, shape?: ErrorShape): Response {
  const { kind, body, headers } = problemResponse(error, randomUUID(), shape)
  return new Response(JSON.stringify(body), { status: kind.status, headers })
}

function malformed(cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLargeError({ cause })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new SlowRequestError({ cause })
  return new MalformedRequestError({ cause })
}

/** A GraphQL endpoint on a loopback socket: it answers as instructed and remembers what it was sent. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Envelope
}

interface Envelope {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | null
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it is, everything else as JSON. */
  readonly body?: unknown
}

/** An answer, or how to misbehave on the raw response. */
export type Script = Answer | ((response: ServerResponse) => void)

export interface GraphqlServer {
  readonly url: string
  readonly received: Received[]
  /** Connections that were opened so far. */
  readonly connections: () => number
  /** Answers in order; the last one is given again and again. */
  script(...answers: Script[]): void
  /** Answers by the request. */
  answerBy(rule: (request: Received) => Script): void
  /** Resolves when that many requests have come in. */
  receivedAtLeast(count: number): Promise<void>
  close(): Promise<void>
}

export async function startGraphqlServer(): Promise<GraphqlServer> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let rule: (request: Received) => Script = () => ({ body: { data: {} } })

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const entry: Received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Envelope,
      }
      received.push(entry)
      const answer = rule(entry)
      if (typeof answer === 'function') answer(response)
      else send(response, answer)
    })
  })
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    received,
    connections: () => connections,
    script(...answers) {
      const left = [...answers]
      rule = () => (left.length > 1 ? left.shift() : left[0]) ?? {}
    },
    answerBy(newRule) {
      rule = newRule
    },
    async receivedAtLeast(count) {
      while (received.length < count) await setImmediate()
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

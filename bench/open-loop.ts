/**
 * Sends requests at a constant rate, whatever their outcomes. Each is timed from when it was due, so a server
 * that stalls for a moment is charged for every request that waits. (Clients that wait for a response before
 * the next request slow down with the server and hide the stall.)
 */
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface OpenLoop {
  readonly origin: string
  readonly path: string
  readonly bodies: readonly string[]
  readonly ratePerSecond: number
  readonly seconds: number
}

/**
 * An element a request, in the order of the responses. Numbers only: each garbage collection copies objects
 * that stay, and its pauses would count as the server's.
 */
export interface Outcomes {
  /** 0 where the connection broke. */
  readonly statuses: Uint16Array
  /** Milliseconds from when it was due to the last byte of the response. */
  readonly times: Float64Array
}

/**
 * Connections, open and accepted before the first request: Node accepts one an iteration of its event loop, and
 * responses are measured. A request that finds none free waits, and that time counts.
 */
const connectionCount = 512
/** Due requests are sent this often. */
const tickMs = 1
/** How long the last responses may take. */
const tailMs = 10_000
/** Bytes read at once; most responses are shorter. */
const readBytes = 16_384

export async function runOpenLoop({
  origin,
  path,
  bodies,
  ratePerSecond,
  seconds,
}: OpenLoop): Promise<Outcomes> {
  const { hostname, port } = new URL(origin)
  const requests = bodies.map((body) => requestOf(hostname, path, body))
  const count = Math.floor(ratePerSecond * seconds)
  const outcomes: Outcomes = {
    statuses: new Uint16Array(count),
    times: new Float64Array(count).fill(tailMs),
  }
  let [hasBegun, ended] = [false, 0]
  const idle: Connection[] = []
  const waiting: { readonly bytes: Buffer; readonly dueMs: number }[] = []
  let isOver = false

  function note(status: number, dueMs: number): void {
    if (!hasBegun) return
    outcomes.statuses[ended] = status
    outcomes.times[ended] = performance.now() - dueMs
    ended += 1
  }

  function serve(): void {
    while (waiting.length > 0) {
      const connection = idle.pop()
      if (connection === undefined) return
      const next = waiting.shift()
      if (next !== undefined) connection.send(next.bytes, next.dueMs)
    }
  }

  function openConnection(): Connection {
    const connection: Connection = openSocket(hostname, Number(port), {
      responded(status, dueMs) {
        note(status, dueMs)
        idle.push(connection)
        serve()
      },
      broke(dueMs) {
        const position = idle.indexOf(connection)
        if (position >= 0) idle.splice(position, 1)
        if (dueMs !== undefined) note(0, dueMs)
        if (isOver) return
        idle.push(openConnection())
        serve()
      },
    })
    return connection
  }

  const probe = Buffer.from(`GET /livez HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  for (let i = 0; i < connectionCount; i++) openConnection().send(probe, performance.now())
  while (idle.length < connectionCount) await delay(5)
  hasBegun = true
  const begunMs = performance.now()
  const dueOf = (position: number) => begunMs + (position / ratePerSecond) * 1000
  for (let sent = 0; sent < count;) {
    for (; sent < count && dueOf(sent) <= performance.now(); sent++) {
      const bytes = requests[sent % requests.length]
      if (bytes !== undefined) waiting.push({ bytes, dueMs: dueOf(sent) })
    }
    serve()
    // Sleeps, because a busy loop takes a processor from the server.
    await delay(tickMs)
  }
  const endMs = performance.now() + tailMs
  while (ended < count && performance.now() < endMs) {
    await delay(5)
  }
  isOver = true
  for (const connection of idle) connection.close()
  return outcomes
}

interface Connection {
  send(bytes: Buffer, dueMs: number): void
  close(): void
}

interface ConnectionEvents {
  responded(status: number, dueMs: number): void
  /** @param dueMs of the request that broke; undefined for an idle connection */
  broke(dueMs: number | undefined): void
}

/**
 * One request at a time; parses only status and length of a response. Reads into one buffer: a new one a read
 * means several garbage collections a second, whose pauses count as the server's.
 */
function openSocket(host: string, port: number, events: ConnectionEvents): Connection {
  let dueMs: number | undefined
  let received = ''
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  const socket = connect({ host, port, noDelay: true, onread: { buffer, callback: read } })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    events.broke(dueMs)
    dueMs = undefined
  })

  function read(count: number): true {
    received += buffer.toString('latin1', 0, count)
    const end = received.indexOf('\r\n\r\n')
    if (end < 0 || dueMs === undefined) return true
    const head = received.slice(0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < end + 4 + length) return true
    const due = dueMs
    received = ''
    dueMs = undefined
    events.responded(Number(head.slice(9, 12)), due)
    return true
  }

  return {
    send(bytes, due) {
      dueMs = due
      socket.write(bytes)
    },
    close: () => socket.destroy(),
  }
}

const requestOf = (host: string, path: string, body: string): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )

/** SYNOPTIC_FUZZ says how many requests of each kind, SYNOPTIC_FUZZ_SEED which. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { OpenApi } from '../http/openapi-document.js'
import { readMetrics, sumOf } from '../observability/text.js'
import { ask, deathNote } from '../serve/child.js'
import { closed } from '../helpers/sockets.js'
import { createFuzzer, type FuzzRequest } from './fuzz.js'
import { logOf, openScene } from './scene.js'

const count = Number(process.env.SYNOPTIC_FUZZ ?? 1500)
const seed = Number(process.env.SYNOPTIC_FUZZ_SEED ?? 1)
const clients = 4
/** What a sound server may answer to anything. */
const fine = [200, 204, 304, 308, 400, 403, 404, 405, 408, 413, 415, 417, 429, 431, 503]

/** A request: less than the smallest body, and more than compiled code and statistics grow by. */
const maxKeptBytes = 256

const preload = new URL('./collect-garbage.js', import.meta.url).href
const server = await openScene(['--request-timeout', '20'], ['--expose-gc', '--import', preload])
const document = (await (await fetch(`${server.origin}/openapi.json`)).json()) as OpenApi
const { hostname, port } = new URL(server.origin)
const agent = new Agent({ keepAlive: true, maxSockets: clients })

function send({ method, path, headers, body }: FuzzRequest) {
  return new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': body.length }
    const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } }
    const outgoing = request(options, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (part: string) => (text += part))
      incoming.on('end', () => {
        const { 'content-type': type = '' } = incoming.headers
        resolve({ status: incoming.statusCode ?? 0, type, text })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Whether the route answers in the shape of another server. */
const isShaped = (what: unknown) =>
  /^\/(?:v[12]\/|embed|rerank|similarity|info)/.test((what as { path?: string }).path ?? '')

function check(what: unknown, status: number, type: string, text: string): void {
  const told = `seed ${seed}: ${JSON.stringify(what).slice(0, 500)} → ${status} ${text.slice(0, 500)}`
  if (status >= 400 && text !== '') {
    if (isShaped(what) && type.startsWith('application/json')) {
      // In the shape of another server, which has no type for programs.
      JSON.parse(text)
      if (status === 500) expect(text, told).toMatch(/model|encode/i)
      else expect(fine, told).toContain(status)
      return
    }
    expect(type, told).toContain('application/problem+json')
    const problem = JSON.parse(text) as { status: number; type: string }
    expect(problem.status, told).toBe(status)
  }
  expect(fine, told).toContain(status)
}

/** Runs a task so many times, by several clients at once. */
async function repeat(times: number, task: () => Promise<void>): Promise<void> {
  let left = times
  const client = async () => {
    while (left-- > 0) await task()
  }
  await Promise.all(Array.from({ length: clients }, client))
}

it(`answers ${count} mutated requests as documented`, async () => {
  const fuzzer = createFuzzer(document, seed)
  await repeat(count, async () => {
    const fuzzed = fuzzer.request()
    const { status, type, text } = await send(fuzzed)
    check({ ...fuzzed, body: fuzzed.body?.toString() }, status, type, text)
  })
  expect((await ask(server.origin, deathNote)).status).toBe(200)
}, 600_000)

it(`survives ${count} requests whose bytes are changed`, async () => {
  const fuzzer = createFuzzer(document, seed + 1)
  await repeat(count, async () => {
    const bytes = fuzzer.bytes()
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => (text += part))
    // A request that lacks its end would be waited for; a client that has none to send says so.
    socket.end(bytes)
    await closed(socket)
    // `Expect: 100-continue` has an answer before the answer.
    const [, status] = /^HTTP\/1\.1 (?!1)(\d{3}) /m.exec(text) ?? []
    if (status !== undefined) expect(fine, bytes.toString()).toContain(Number(status))
  })
  expect((await ask(server.origin, deathNote)).status).toBe(200)
}, 600_000)

it('has not crashed, nor met an error of its own', () => {
  expect(server.child.exitCode).toBeNull()
  expect(logOf(server)).not.toContain('a bug ends')
  expect(logOf(server)).not.toContain('internal-error')
})

/** Bytes of the heap and of its buffers without garbage: the least of several readings. */
async function usedBytes(): Promise<number> {
  const readings: number[] = []
  for (let i = 0; i < 5; i++) {
    server.child.kill('SIGUSR2')
    await delay(100)
    const metrics = readMetrics(await (await fetch(`${server.origin}/metrics`)).text())
    const names = ['nodejs_heap_size_used_bytes', 'nodejs_external_memory_bytes']
    readings.push(names.reduce((sum, name) => sum + sumOf(metrics, name), 0))
  }
  return Math.min(...readings)
}

const keepingRounds = 4

it(`keeps nothing of ${count} requests`, async () => {
  const round = () => {
    // The same requests in each round, so the caches have all of them after the first.
    const fuzzer = createFuzzer(document, seed)
    return repeat(count, async () => {
      await send(fuzzer.request())
    })
  }
  await round()
  await round()
  const before = await usedBytes()
  // What is kept adds up; what the heap has by chance, half a megabyte either way, does not.
  for (let i = 0; i < keepingRounds; i++) await round()
  const keptBytes = ((await usedBytes()) - before) / (keepingRounds * count)
  console.log(`grown by ${keptBytes.toFixed(0)} bytes a request`)
  expect(keptBytes).toBeLessThan(maxKeptBytes)
  agent.destroy()
  expect(await server.stop()).toBe(0)
}, 600_000)

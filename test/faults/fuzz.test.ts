/** SYNOPTIC_FUZZ says how many requests of each kind, SYNOPTIC_FUZZ_SEED which. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
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
/** What a sound server may answer to anything; 500 only where a model is allowed and not there. */
const fine = [200, 204, 304, 308, 400, 404, 405, 408, 413, 415, 417, 429, 431, 503]
const missingModel = 'urn:synoptic:problem:model-not-installed'

const server = await openScene(['--request-timeout', '20'])
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

function check(what: unknown, status: number, type: string, text: string): void {
  const told = `seed ${seed}: ${JSON.stringify(what).slice(0, 500)} → ${status} ${text.slice(0, 500)}`
  if (status >= 400 && text !== '') {
    expect(type, told).toContain('application/problem+json')
    const problem = JSON.parse(text) as { status: number; type: string }
    expect(problem.status, told).toBe(status)
    if (status === 500) expect(problem.type, told).toBe(missingModel)
  }
  if (status !== 500) expect(fine, told).toContain(status)
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
    if (status !== undefined && status !== '500')
      expect(fine, bytes.toString()).toContain(Number(status))
    if (status === '500') expect(text, bytes.toString()).toContain(missingModel)
  })
  expect((await ask(server.origin, deathNote)).status).toBe(200)
}, 600_000)

it('has not crashed, nor met an error of its own', () => {
  expect(server.child.exitCode).toBeNull()
  expect(logOf(server)).not.toContain('a bug ends')
  expect(logOf(server)).not.toContain('internal-error')
})

it(`does not grow over ${count * 2} more requests`, async () => {
  const memory = async () => {
    const text = await (await fetch(`${server.origin}/metrics`)).text()
    return sumOf(readMetrics(text), 'process_resident_memory_bytes')
  }
  const fuzzer = createFuzzer(document, seed)
  const round = () =>
    repeat(count, async () => {
      await send(fuzzer.request())
    })
  await round()
  const before = await memory()
  await round()
  const grownMiB = ((await memory()) - before) / 2 ** 20
  console.log(`grown by ${grownMiB.toFixed(1)} MiB over ${count} requests after as many`)
  // A leak of one request's body, a few KiB, would show.
  expect(grownMiB).toBeLessThan(32)
  agent.destroy()
  expect(await server.stop()).toBe(0)
}, 600_000)

/** SYNOPTIC_FUZZ says how many requests of each kind are sent by night, SYNOPTIC_FUZZ_SEED which. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import type { OpenApi } from '../http/openapi-document.js'
import { ask, deathNote } from '../serve/child.js'
import { closed } from '../helpers/sockets.js'
import { createFuzzer, type FuzzRequest } from './fuzz.js'
import { logOf, openScene } from './scene.js'

const few = 150
const many = Number(process.env.SYNOPTIC_FUZZ ?? 1500)
const seed = Number(process.env.SYNOPTIC_FUZZ_SEED ?? 1)
const nightly = { tags: ['nightly'], timeout: 600_000 }
const clients = 4
/** What a sound server may answer to anything. */
const fine = [200, 204, 304, 308, 400, 403, 404, 405, 406, 408, 413, 415, 417, 422, 429, 431, 503]

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

/** Whether the route answers in the shape of another server. Paths are read as `fetch` and the server read them. */
function isShaped(what: unknown): boolean {
  const { path } = what as { path?: string }
  const { pathname } = new URL(server.origin + (path ?? ''))
  return /^\/(?:v[12]\/|embed|rerank|similarity|tokenize|info|health|$)/.test(pathname)
}

function check(what: unknown, status: number, type: string, text: string): void {
  const context = `seed ${seed}: ${JSON.stringify(what).slice(0, 500)} → ${status} ${text.slice(0, 500)}`
  if (status >= 400 && text !== '') {
    if (isShaped(what) && type.startsWith('application/json')) {
      // In the shape of another server, which has no type for programs.
      JSON.parse(text)
      if (status === 500) expect(text, context).toMatch(/model|encode/i)
      else expect(fine, context).toContain(status)
      return
    }
    expect(type, context).toContain('application/problem+json')
    const problem = JSON.parse(text) as { status: number; type: string }
    expect(problem.status, context).toBe(status)
  }
  expect(fine, context).toContain(status)
}

/** Runs a task so many times, by several clients at once. */
async function repeat(times: number, task: () => Promise<void>): Promise<void> {
  let left = times
  const client = async () => {
    while (left-- > 0) await task()
  }
  await Promise.all(Array.from({ length: clients }, client))
}

it.each([few])('answers %i mutated requests as documented', answersMutated)
it.each([many])('answers %i mutated requests as documented', nightly, answersMutated)

async function answersMutated(count: number): Promise<void> {
  const fuzzer = createFuzzer(document, seed)
  await repeat(count, async () => {
    const fuzzed = fuzzer.request()
    const { status, type, text } = await send(fuzzed)
    check({ ...fuzzed, body: fuzzed.body?.toString() }, status, type, text)
  })
  expect((await ask(server.origin, deathNote)).status).toBe(200)
}

it.each([few])('survives %i requests whose bytes are changed', survivesBytes)
it.each([many])('survives %i requests whose bytes are changed', nightly, survivesBytes)

async function survivesBytes(count: number): Promise<void> {
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
}

it('has not crashed, nor met an error of its own', () => {
  expect(server.child.exitCode).toBeNull()
  expect(logOf(server)).not.toContain('a bug ends')
  expect(logOf(server)).not.toContain('internal-error')
})

it('ends well after all of them', async () => {
  agent.destroy()
  expect(await server.stop()).toBe(0)
})

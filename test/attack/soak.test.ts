/**
 * Everything at once for a while: searches, batches, HTTP/2, clients that leave, feedback and reloads. Nothing may
 * fail, and memory may not grow. SYNOPTIC_SOAK_SECONDS=600 makes it ten minutes.
 * @module-tag nightly
 */
import { readFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openScene, type Scene } from '../faults/scene.js'

const seconds = Number(process.env.SYNOPTIC_SOAK_SECONDS ?? 60)
const reloadMs = 10_000
/** Five minutes. */
const samplesForMemory = 30
const json = { 'content-type': 'application/json' }

let sent = 0
const query = () => `a student finds notebook number ${(sent += 1)} and rules the rain`

/** What failures of the server say, and when. */
const failures: string[] = []
const begunMs = performance.now()

function noteFailure(status: number, path: string, body: string): void {
  if (status < 500) return
  const { type = '', detail = '' } = JSON.parse(body) as { type?: string; detail?: string }
  const second = ((performance.now() - begunMs) / 1000).toFixed(1)
  failures.push(`${second} s: ${path}: ${status} ${type} ${detail}`)
}

/** One request, or several, of a client. Answers the statuses of those that were answered. */
type Client = (scene: Scene) => Promise<readonly number[]>

const post = async ({ origin }: Scene, path: string, body: object): Promise<readonly number[]> => {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(body),
  })
  noteFailure(response.status, path, await response.text())
  return [response.status]
}

const get = async ({ origin }: Scene, path: string): Promise<readonly number[]> => {
  const response = await fetch(origin + path)
  noteFailure(response.status, path, await response.text())
  return [response.status]
}

function http2({ origin }: Scene, leaves: boolean): Promise<readonly number[]> {
  return new Promise((resolve) => {
    const session = connectHttp2(origin)
    const statuses: number[] = []
    session.on('error', () => undefined).on('close', () => resolve(statuses))
    let open = 8
    for (let i = 0; i < 8; i += 1) {
      const headers = { ':method': 'POST', ':path': '/search/anime', ...json }
      const stream = session.request(headers)
      stream.on('error', () => undefined)
      stream.on('response', (head) => statuses.push(Number(head[':status'])))
      stream.on('close', () => {
        open -= 1
        if (open === 0) session.close()
      })
      stream.resume().end(JSON.stringify({ query: query() }))
    }
    if (leaves) setTimeout(() => session.destroy(), sent % 30)
  })
}

/** Sends a request, or half of one, and leaves. */
async function leave({ origin }: Scene): Promise<readonly number[]> {
  const { port } = new URL(origin)
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  const body = JSON.stringify({ query: query() })
  socket.write(
    'POST /search/anime HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${sent % 2 === 0 ? body : body.slice(0, 20)}`,
  )
  await sleep(sent % 30)
  socket.destroy()
  return []
}

const clients: readonly Client[] = [
  (scene) => post(scene, '/search/anime', { query: query() }),
  (scene) => post(scene, '/search/manga', { query: query() }),
  (scene) => post(scene, '/search/anime', { queries: Array.from({ length: 16 }, query) }),
  (scene) =>
    post(scene, '/searchmodel/anime', { model: 'builtin/static-en', description: query() }),
  (scene) => post(scene, '/feedback/anime', { query: query(), work: 1, rank: 1 }),
  (scene) => get(scene, '/titles/anime?prefix=de'),
  (scene) => get(scene, '/openapi.json'),
  (scene) => get(scene, '/metrics'),
  (scene) => http2(scene, false),
  (scene) => http2(scene, true),
  leave,
]

/** Bytes that the process has in memory. */
const memoryOf = ({ child }: Scene): number => {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
}

it('nothing fails and memory does not grow', { timeout: (seconds + 120) * 1000 }, async () => {
  const scene = await openScene(['--h2c', '--feedback', 'feedback.jsonl'])
  const statuses = new Map<number, number>()
  const endMs = performance.now() + seconds * 1000
  const run = async (client: Client) => {
    while (performance.now() < endMs) {
      for (const status of await client(scene))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await sleep(50)
    }
  }
  const memory: number[] = []
  const watch = async () => {
    while (performance.now() < endMs) {
      await sleep(reloadMs / 2)
      memory.push(memoryOf(scene))
      await sleep(reloadMs / 2)
      scene.child.kill('SIGHUP')
    }
  }
  await Promise.all([...clients.map(run), watch()])
  console.log(
    `${seconds} s: ${[...statuses].map(([status, count]) => `${count} of ${status}`).join(', ')}; ` +
      `MiB: ${memory.map((bytes) => Math.round(bytes / 2 ** 20)).join(' ')}`,
  )
  expect(failures).toEqual([])
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(seconds)
  // In minutes, not in one: caches fill, and a reload holds two generations for a moment.
  const third = Math.ceil(memory.length / 3)
  const [before, after] = [memory.slice(third, 2 * third), memory.slice(2 * third)]
  if (memory.length >= samplesForMemory) {
    expect(Math.min(...after)).toBeLessThan(Math.min(...before) * 1.1 + 32 * 2 ** 20)
  }
  expect(await scene.stop()).toBe(0)
  expect(scene.output.stderr).not.toContain('internal-error')
})

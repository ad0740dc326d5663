/**
 * Bytes of the heap and its buffers that each request leaves, after garbage collection: requests that are answered,
 * and requests that are refused, compared with GET /livez, which keeps nothing. A leak shows as far more than the baseline.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { withServers, type Server } from './http-servers.js'

const requests = 1500
const warmUpRounds = 2
const rounds = Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 4)
/** SIGUSR2 collects garbage, so that the heap holds what is in use. */
const collector = 'data:text/javascript,process.on("SIGUSR2", () => globalThis.gc())'

export const trial = {
  words: ['kept', 'server'],
  summary: 'bytes that a request leaves on the heap, compared with GET /livez.',
  run,
}

interface Call {
  readonly path: string
  /** A POST where there is one. */
  readonly body?: string
  readonly status: number
}

async function run(print: (line: string) => void): Promise<void> {
  await withServers([], print, async ({ startOurs, questions }) => {
    const server = await startOurs(['--workers', '1'], ['--expose-gc', '--import', collector])
    const right = questions.flatMap((body): Call[] => {
      const { description } = JSON.parse(body) as { description: string }
      return [
        { path: '/searchmodel/anime', body, status: 200 },
        { path: '/search/anime', body: JSON.stringify({ query: description }), status: 200 },
        {
          path: `/titles/anime?prefix=${encodeURIComponent(description.slice(0, 8))}`,
          status: 200,
        },
      ]
    })
    const wrong: Call[] = [
      { path: '/search/anime', body: '{"query": ', status: 400 },
      { path: '/search/anime', body: '{"query": 7, "__proto__": {}}', status: 400 },
      { path: '/searchmodel/anime', body: '{"description": "x", "page": -1}', status: 400 },
      { path: '/entries/anime/nobody', status: 404 },
      { path: '/nowhere', status: 404 },
    ]
    const baseline = await keptBytes(server, [{ path: '/livez', status: 200 }])
    for (const [name, calls] of [
      ['answered', right],
      ['refused', wrong],
    ] as const) {
      const bytes = await keptBytes(server, calls)
      print(
        `${name}: ${bytes.toFixed(0)} bytes kept a request; GET /livez: ${baseline.toFixed(0)}; ` +
          `${requests * rounds} requests each`,
      )
    }
  })
}

/** The same requests in each round, so the caches have all of them after the first. */
async function keptBytes(server: Server, calls: readonly Call[]): Promise<number> {
  for (let i = 0; i < warmUpRounds; i++) await sendAll(server, calls)
  const before = await usedBytes(server)
  for (let i = 0; i < rounds; i++) await sendAll(server, calls)
  return ((await usedBytes(server)) - before) / (rounds * requests)
}

async function sendAll({ origin }: Server, calls: readonly Call[]): Promise<void> {
  for (let i = 0; i < requests; i++) {
    const call = calls[i % calls.length]
    if (call === undefined) throw new Error('no requests')
    const { path, body, status } = call
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body }
    const response = await fetch(origin + path, init)
    const text = await response.text()
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${text}`)
  }
}

/** The least of several readings. */
async function usedBytes({ origin, pid }: Server): Promise<number> {
  const readings: number[] = []
  for (let i = 0; i < 5; i++) {
    process.kill(pid, 'SIGUSR2')
    await delay(100)
    const metrics = await (await fetch(`${origin}/metrics`)).text()
    const names = /^nodejs_(?:heap_size_used|external_memory)_bytes\S* (\S+)$/gm
    readings.push([...metrics.matchAll(names)].reduce((sum, [, value]) => sum + Number(value), 0))
  }
  return Math.min(...readings)
}

/**
 * Ordinary searches while other clients send batches of 64, in turns with the same searches alone, which are the
 * baseline. At most one in a hundred may be refused, and the p99 may not pass one second. Also how long the event
 * loop of the server is blocked.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './http-client.js'
import { withServers, type Server } from './http-servers.js'

const batchClients = 4
const batchSize = 64
const ordinaryClients = 8
/** Between the response of an ordinary client and its next request. */
const thinkMs = 200
const seconds = Number(process.env.SYNOPTIC_BENCH_SECONDS ?? 20)
const path = '/search/anime'

export const trial = {
  words: ['fair-shares', 'server'],
  summary:
    'Searches of ordinary clients while four clients send batches of 64: refusals, p99, event loop.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  await withServers(['--query-cache', '0'], print, async ({ ours, questions }) => {
    const queries = questions.map(
      (body) => (JSON.parse(body) as { description: string }).description,
    )
    await measure(print, ours, queries)
  })
}

async function measure(
  print: (line: string) => void,
  server: Pick<Server, 'origin'>,
  queries: readonly string[],
): Promise<void> {
  for (const query of queries.slice(0, 20)) await post(new Agent(), server, { query })
  await report(print, 'alone (baseline)', server, queries, 0)
  await report(
    print,
    `with ${batchClients} clients that send batches`,
    server,
    queries,
    batchClients,
  )
}

interface Outcome {
  readonly status: number
  readonly ms: number
}

function post(agent: Agent, { origin }: Pick<Server, 'origin'>, body: object): Promise<Outcome> {
  const begunMs = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const outgoing = request(origin + path, { method: 'POST', agent, headers }, (incoming) => {
      incoming.resume().on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, ms: performance.now() - begunMs })
      })
    })
    outgoing.on('error', reject).end(JSON.stringify(body))
  })
}

async function report(
  print: (line: string) => void,
  name: string,
  server: Pick<Server, 'origin'>,
  queries: readonly string[],
  batches: number,
): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const endMs = performance.now() + seconds * 1000
  const outcomes: Outcome[] = []
  const batched: Outcome[] = []
  let next = 0
  const query = () => `${queries[next++ % queries.length] ?? ''} ${next}`
  await longestPauseMs(server)
  const clients = Array.from({ length: ordinaryClients }, async (_, i) => {
    await sleep((thinkMs / ordinaryClients) * i)
    while (performance.now() < endMs) {
      outcomes.push(await post(agent, server, { query: query() }))
      await sleep(thinkMs)
    }
  })
  const others = Array.from({ length: batches }, async () => {
    while (performance.now() < endMs) {
      const body = { queries: Array.from({ length: batchSize }, query) }
      batched.push(await post(agent, server, body))
    }
  })
  await Promise.all([...clients, ...others])
  agent.destroy()
  const times = outcomes.filter(({ status }) => status === 200).map(({ ms }) => ms)
  const refused = (100 * (outcomes.length - times.length)) / outcomes.length
  const at = (share: number) => percentile(times, share).toFixed(0)
  const texts = (batchSize * batched.filter(({ status }) => status === 200).length) / seconds
  print(
    `${name}: ${outcomes.length} searches, ${refused.toFixed(1)} % refused, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)}, most ${at(1)}; batches: ${texts.toFixed(0)} texts/s; ` +
      `the event loop stood still for at most ${(await longestPauseMs(server)).toFixed(0)} ms`,
  )
}

/** Since the last call. */
async function longestPauseMs({ origin }: Pick<Server, 'origin'>): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return 1000 * Number(/^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1])
}

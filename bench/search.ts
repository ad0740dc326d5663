/**
 * /search over HTTP on the sample: the latency of one client compared with a bare node:http server, and the latency
 * of GET / while many search. Servers and clients are separate processes but share the CPUs, so compare with
 * the baseline on the same lines.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { catalogueFile, openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { percentile, percentiles, timeRequest, timeRequests } from './http-client.js'
import { bareServer, serveCommand, startChild, type Server } from './http-servers.js'
import { runLoad } from './load-process.js'
import { importSample } from './sample.js'
import type { Trial } from './trial.js'

const path = '/search/anime'
const candidates = 100
const clients = 32
const warmUps = 200
const singleRequests = 800
const loadSeconds = 18
/** Until all are connected and the server's hot functions compiled, which takes seconds of load. */
const warmSeconds = 8
const probeIntervalMs = 5
/** What the server has to reach on two cores. */
const targets = { searchP50Ms: 25, healthP99Ms: 15 }

export const trial: Trial = {
  words: ['search'],
  summary:
    '/search on the sample, and GET / while many search, compared with a bare node:http server.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  const children: ChildProcess[] = []
  try {
    await importSample(folder)
    const ours = await startChild(children, folder, [
      ...serveCommand(),
      '--port',
      '0',
      '--host',
      '127.0.0.1',
      '--workers',
      '1',
      '--log-file',
      'none',
      // Every query is encoded, also a repeated one.
      '--limit-concurrency',
      String(clients * 2),
      '--query-cache',
      '0',
    ])
    const bare = await startChild(children, folder, bareServer)
    const questions = openQuestions(folder)
    await checkAnswers(ours, questions)
    const bodies = questions.map(({ query }) => JSON.stringify({ query }))
    print(
      `  ${questions.length} queries, the beginnings of synopses; ${candidates} candidates each`,
    )
    await timeOne(print, ours, bare, bodies)
    await timeHealth(print, ours, bare, bodies)
  } finally {
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true })
  }
}

interface Question {
  readonly query: string
  readonly title: string
}

function openQuestions(folder: string): Question[] {
  const catalogue = openCatalogue(catalogueFile(join(folder, 'data')))
  try {
    return [...catalogue.texts('anime', 0)].map(({ row, text }) => ({
      query: text.replace(/\s+/g, ' ').slice(0, 200),
      title: catalogue.entry('anime', row).title,
    }))
  } finally {
    catalogue.close()
  }
}

/** The beginning of a synopsis finds its work. */
async function checkAnswers({ origin }: Server, questions: readonly Question[]): Promise<void> {
  for (const { query, title } of questions) {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { results, candidates_scored } = (await response.json()) as {
      results: { title: string }[]
      candidates_scored: number
    }
    if (candidates_scored !== candidates || results[0]?.title !== title) {
      throw new Error(`expected ${title} first of ${candidates}, received ${results[0]?.title}`)
    }
  }
}

async function timeOne(
  print: (line: string) => void,
  ours: Server,
  bare: Server,
  bodies: readonly string[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await timeRequests(agent, ours.origin + path, bodies, warmUps)
  const searches = await timeRequests(agent, ours.origin + path, bodies, singleRequests)
  await timeRequests(agent, bare.origin, bodies, warmUps)
  const baseline = await timeRequests(agent, bare.origin, bodies, singleRequests)
  agent.destroy()
  const times = searches.map(({ ms }) => ms)
  const verdict = verdictOf(percentile(times, 0.5), targets.searchP50Ms)
  print(`  one client, ${singleRequests} searches: ${percentiles(times)}; p50 ${verdict}`)
  print(`    baseline, bare node:http: ${percentiles(baseline.map(({ ms }) => ms))}`)
  for (const phase of ['rank', 'rerank', 'hydrate', 'total']) {
    print(`    ${phase}: ${percentiles(searches.map(({ phases }) => phases[phase] ?? NaN))}`)
  }
}

/** One client requests GET / and the bare server in turns, while as many others search as fast as they can. */
async function timeHealth(
  print: (line: string) => void,
  ours: Server,
  bare: Server,
  bodies: readonly string[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const ask = ({ origin }: Server) => timeRequest(agent, `${origin}/`)
  const [health, baseline]: [number[], number[]] = [[], []]
  const loading = load(ours, bodies)
  await delay(warmSeconds * 1000)
  const end = performance.now() + (loadSeconds - warmSeconds - 0.5) * 1000
  while (performance.now() < end) {
    health.push((await ask(ours)).ms)
    baseline.push((await ask(bare)).ms)
    await delay(probeIntervalMs)
  }
  const { requests, latency } = await loading
  agent.destroy()
  const verdict = verdictOf(percentile(health, 0.99), targets.healthP99Ms)
  print(
    `  ${clients} clients: ${requests.average.toFixed(0)} searches/s, ` +
      `p50 ${latency.p50} ms, p99 ${latency.p99} ms`,
  )
  print(`  GET / meanwhile, ${health.length} times: ${percentiles(health)}; p99 ${verdict}`)
  print(`    baseline, bare node:http meanwhile: ${percentiles(baseline)}`)
}

/** As many searches as the clients get answered. */
async function load({ origin }: Server, bodies: readonly string[]) {
  const result = await runLoad({
    url: origin + path,
    connections: clients,
    duration: loadSeconds,
    requests: bodies.map((body) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })),
  })
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refusals`)
  return result
}

const verdictOf = (ms: number, targetMs: number) =>
  `${ms <= targetMs ? 'within' : 'MISSES'} its ${targetMs} ms`

/**
 * The whole server over HTTP: /searchmodel/anime with the built-in model, over real synopses where they are
 * installed, compared with a bare node:http server that returns a few bytes. Server and load share the CPUs, so
 * compare only with the baseline of the same run.
 */
import { Agent } from 'node:http'
import autocannon from 'autocannon'
import { cpuMsOf } from './cpu-time.js'
import { percentiles, timeRequests } from './http-client.js'
import { withServers, type Server } from './http-servers.js'

const path = '/searchmodel/anime'
const json = { 'content-type': 'application/json' }
const rounds = 3
const roundSeconds = 4
const connections = 32
const singleRequests = 1500

export const trial = {
  words: ['http', 'server'],
  summary: 'Latency of one client and throughput of many, compared with a bare node:http server.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  // Every query is encoded, repeated ones too.
  const words = ['--limit-concurrency', String(connections * 2), '--query-cache', '0']
  await withServers(words, print, async ({ ours, bare, questions }) => {
    await checkAnswers(ours.origin, questions)
    await timeOne(print, ours, bare, questions)
    await timeMany(print, ours, bare, questions)
  })
}

/** Pages of ten are the slices of one page of a hundred. */
async function checkAnswers(origin: string, [question = '{}']: readonly string[]): Promise<void> {
  const ask = async (paging: object) => {
    const body = JSON.stringify({ ...(JSON.parse(question) as object), ...paging })
    const response = await fetch(origin + path, { method: 'POST', headers: json, body })
    const { results } = (await response.json()) as { results: { id: number }[] }
    return results.map(({ id }) => id)
  }
  const whole = await ask({ resultsPerPage: 100 })
  for (let page = 1; page <= 10; page++) {
    const part = await ask({ page })
    if (part.join() !== whole.slice(page * 10 - 10, page * 10).join()) {
      throw new Error(`page ${page} is no slice of the first hundred results`)
    }
  }
}

async function timeOne(
  print: (line: string) => void,
  ours: Server,
  bare: Server,
  questions: readonly string[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await timeRequests(agent, ours.origin + path, questions, 300)
  const server = await timeRequests(agent, ours.origin + path, questions, singleRequests)
  const baseline = await timeRequests(agent, bare.origin, questions, singleRequests)
  agent.destroy()
  print(`one client, ${singleRequests} requests: ${percentiles(server.map(({ ms }) => ms))}`)
  print(`  baseline, bare node:http: ${percentiles(baseline.map(({ ms }) => ms))}`)
  for (const phase of ['tokenize', 'infer', 'scan', 'hydrate', 'total']) {
    print(`  ${phase}: ${percentiles(server.map(({ phases }) => phases[phase] ?? 0))}`)
  }
  const others = server.map(({ ms, phases: { tokenize = 0, infer = 0, scan = 0 } }) => {
    return ms - tokenize - infer - scan
  })
  print(`  all but encode and scan, client included: ${percentiles(others)}`)
}

async function timeMany(
  print: (line: string) => void,
  ours: Server,
  bare: Server,
  questions: readonly string[],
): Promise<void> {
  await load(ours, path, questions)
  for (let round = 1; round <= rounds; round++) {
    const server = await load(ours, path, questions)
    const baseline = await load(bare, '/', questions)
    const share = server.requests.average / baseline.requests.average
    print(`${connections} connections, round ${round}: ${describe(server)}`)
    print(`  baseline: ${describe(baseline)}; ratio ${share.toFixed(2)}`)
  }
}

interface Load extends autocannon.Result {
  /** What the server's threads computed for a request; undefined where the system does not tell. */
  readonly cpuMs: number | undefined
}

async function load(server: Server, path: string, bodies: readonly string[]): Promise<Load> {
  const before = cpuMsOf(server)
  const result = await autocannon({
    url: server.origin + path,
    connections,
    duration: roundSeconds,
    requests: bodies.map((body) => ({ method: 'POST', headers: json, body })),
  })
  const after = cpuMsOf(server)
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refusals`)
  const known = before !== undefined && after !== undefined
  return { ...result, cpuMs: known ? (after - before) / result.requests.total : undefined }
}

function describe({ requests, latency, cpuMs }: Load): string {
  const cpu = cpuMs === undefined ? '' : `, ${cpuMs.toFixed(3)} ms of CPU each`
  return `${requests.average.toFixed(0)} requests/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms${cpu}`
}

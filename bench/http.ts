/**
 * The whole server over HTTP: /searchmodel/anime with the built-in model over real synopses where they
 * are, beside a bare node:http server that answers a few bytes, on the same machine in the same run.
 * Server and load share the CPUs, so compare only with the baseline.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { catalogueFile, openCatalogue } from '#synoptic/catalogue/open-catalogue.js'
import { importDatasets } from '#synoptic/datasets/import.js'
import { buildEmbeddings } from '#synoptic/embed/build.js'
import { createEncoders } from '#synoptic/encoders/encoders.js'
import { builtinModel } from '#synoptic/first-start.js'
import { resolveModel } from '#synoptic/models/catalogue.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const data = process.env.SYNOPTIC_TEST_DATA ?? join(project, '../shared/data')
const path = '/searchmodel/anime'
const json = { 'content-type': 'application/json' }
const rounds = 3
const roundSeconds = 4
const connections = 32
const singleRequests = 1500

export const trial = {
  words: ['http', 'server'],
  summary: 'Latency of one client and throughput of many, beside a bare node:http server.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  const children: ChildProcess[] = []
  try {
    const questions = await prepare(folder, print)
    const ours = await startChild(children, folder, [
      join(project, 'dist', 'cli.js'),
      ...['serve', '--port', '0', '--host', '127.0.0.1', '--workers', '1', '--rate-limit', '0'],
      ...['--limit-concurrency', String(connections * 2)],
    ])
    const bare = await startChild(children, folder, ['--input-type=module', '-e', bareServer])
    await checkAnswers(ours.origin, questions)
    await timeOne(print, ours, bare, questions)
    await timeMany(print, ours, bare, questions)
  } finally {
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true })
  }
}

const bareServer = `import { createServer } from 'node:http'
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end('{"hello":"world"}'))
})
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

/** A catalogue and its embeddings; answers bodies that ask for many different works. */
async function prepare(folder: string, print: (line: string) => void): Promise<string[]> {
  const isReal = existsSync(join(data, 'anime4500.csv'))
  const names = isReal ? ['sources/anime4500', 'sources/anime/08-anime-data'] : ['sample/anime']
  const mappings = names.map((name) => join(project, 'data', `${name}.json`))
  const into = catalogueFile(join(folder, 'data'))
  await importDatasets(mappings, { into, ...(isReal ? { from: data } : {}) })
  const catalogue = openCatalogue(into)
  const encoders = createEncoders({ modelsDir: 'models' })
  const encoder = await encoders.get(builtinModel)
  const { folder: modelFolder } = resolveModel(builtinModel, { modelsDir: 'models' })
  const embeddingsDir = join(folder, 'embeddings')
  const { texts } = await buildEmbeddings({
    ...{ catalogue, encoder, modelFolder, embeddingsDir },
    dataset: 'anime',
  })
  print(`${catalogue.dataset('anime')?.rows ?? 0} entries, ${texts} different texts`)
  const all = [...catalogue.texts('anime', 0)]
  const step = Math.max(1, Math.floor(all.length / 200))
  await encoders.close()
  catalogue.close()
  return all
    .filter((_, position) => position % step === 0)
    .map(({ text }) => text.replace(/\s+/g, ' ').slice(0, 200))
    .map((description) => JSON.stringify({ model: builtinModel, description }))
}

interface Server {
  readonly origin: string
  readonly pid: number
}

async function startChild(children: ChildProcess[], cwd: string, words: string[]): Promise<Server> {
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [origin] = /http:\S+:\d+/.exec(output) ?? []
      if (origin !== undefined) resolve({ origin, pid: child.pid ?? 0 })
    })
    child.once('exit', (status) => reject(new Error(`the server ended with status ${status}`)))
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
  const beside = server.map(({ ms, phases: { tokenize = 0, infer = 0, scan = 0 } }) => {
    return ms - tokenize - infer - scan
  })
  print(`  all but encode and scan, client included: ${percentiles(beside)}`)
}

interface Timed {
  readonly ms: number
  /** Milliseconds by name, from Server-Timing. */
  readonly phases: Readonly<Record<string, number>>
}

async function timeRequests(
  agent: Agent,
  url: string,
  bodies: readonly string[],
  count: number,
): Promise<Timed[]> {
  const timed: Timed[] = []
  for (let i = 0; i < count; i++) {
    const start = performance.now()
    const timing = await post(agent, url, bodies[i % bodies.length] ?? '')
    const phases = [...timing.matchAll(/(\w+);dur=([\d.]+)/g)].map(
      ([, name = '', ms]) => [name, Number(ms)] as const,
    )
    timed.push({ ms: performance.now() - start, phases: Object.fromEntries(phases) })
  }
  return timed
}

function post(agent: Agent, url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { ...json, 'content-length': Buffer.byteLength(body) }
    const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
      incoming.resume()
      incoming.on('end', () => resolve(String(incoming.headers['server-timing'] ?? '')))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
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

/** Linux counts a process's time on the CPUs in hundredths of a second. */
function cpuMsOf({ pid }: Server): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return undefined
  }
}

function describe({ requests, latency, cpuMs }: Load): string {
  const cpu = cpuMs === undefined ? '' : `, ${cpuMs.toFixed(3)} ms of CPU each`
  return `${requests.average.toFixed(0)} requests/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms${cpu}`
}

function percentiles(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(3)
  return `p50 ${at(0.5)} ms, p90 ${at(0.9)}, p99 ${at(0.99)}`
}

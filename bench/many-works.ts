/**
 * /search with what people type, on as many works as the largest public catalogues have. The baseline is the same search
 * of the built-in works, in turns with it, and another version of the program where SYNOPTIC_BENCH_BASELINE names its
 * folder.
 */
import { execFileSync, type ChildProcess } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpuMsOf } from './cpu-time.js'
import { percentile, percentiles, timeRequests, type Timed } from './http-client.js'
import { serveCommand, startChild, type Server } from './http-servers.js'
import { shippedWorks, writeManyWorks } from './invented-works.js'
import type { Trial } from './trial.js'

const many = Number(process.env.SYNOPTIC_BENCH_COUNT ?? 60_000)
const warmUps = 300
const rounds = 3
const targetP50Ms = 25
const clients = 32
const project = fileURLToPath(new URL('../..', import.meta.url))
const path = '/search/anime'

export const trial: Trial = {
  words: ['many-works'],
  summary: `/search on ${many} works, one client, in turns with the included works.`,
  run,
}

/**
 * SYNOPTIC_BENCH_MANY_WORKS names a folder that keeps the catalogues, which take minutes to make; SYNOPTIC_BENCH_COUNT is
 * another number of works.
 */
async function run(print: (line: string) => void): Promise<void> {
  const kept = process.env.SYNOPTIC_BENCH_MANY_WORKS
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  const children: ChildProcess[] = []
  try {
    const kinds = readKinds()
    const all = kinds.flatMap(({ bodies }) => bodies)
    const [few, large] = [
      await serve(children, join(folder, 'few'), shippedWorks.length),
      await serve(children, join(folder, `${many}`), many),
    ]
    for (const { origin } of [few, large]) await ask(origin, all, warmUps)
    const timed = kinds.map(({ name }) => ({ name, few: [] as Timed[], large: [] as Timed[] }))
    for (let round = 0; round < rounds; round += 1) {
      for (const [kind, { bodies }] of kinds.entries()) {
        timed[kind]?.few.push(...(await ask(few.origin, bodies)))
        timed[kind]?.large.push(...(await ask(large.origin, bodies)))
      }
    }
    const whole = {
      name: 'all',
      few: timed.flatMap(({ few }) => few),
      large: timed.flatMap(({ large }) => large),
    }
    for (const { name, few, large } of [...timed, whole]) report(print, name, few, large)
    const p50 = percentile(msOf(whole.large), 0.5)
    print(`  p50 ${p50 <= targetP50Ms ? 'within' : 'MISSES'} its ${targetP50Ms} ms`)
    await compareVersions(children, print, folder, kinds, large)
  } finally {
    for (const child of children) child.kill()
    if (kept === undefined) rmSync(folder, { recursive: true })
  }
}

/** Starts a server of the folder's catalogue, which is made unless it is there. */
async function serve(
  children: ChildProcess[],
  folder: string,
  count: number,
  command = serveCommand(),
): Promise<Started> {
  if (!existsSync(folder)) {
    const unfinished = `${folder}.new`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    const mapping = writeManyWorks(unfinished, count)
    synoptic(['data', 'import', mapping, '--works', 'off', ...placesIn(unfinished)])
    synoptic(['embed', 'build', '--model', 'builtin/static-en', ...placesIn(unfinished)])
    renameSync(unfinished, folder)
  }
  const settings = ['--workers', '1', '--log-file', 'none', '--query-cache', '0']
  const address = ['--port', '0', '--host', '127.0.0.1', '--rate-limit', '0']
  // Nothing else is embedded meanwhile.
  const encoder = ['--search-encoder', 'builtin/static-en']
  const start = performance.now()
  const server = await startChild(children, folder, [
    ...command,
    ...address,
    ...settings,
    ...encoder,
    ...placesIn(folder),
  ])
  return { ...server, readyMs: performance.now() - start }
}

interface Started extends Server {
  /** From its start until it has searched once and printed its address. */
  readonly readyMs: number
}

/** What a search costs of processor and memory, in turns with the other version on the same catalogue. */
async function compareVersions(
  children: ChildProcess[],
  print: (line: string) => void,
  folder: string,
  kinds: readonly Kind[],
  own: Started,
): Promise<void> {
  const versions = [{ name: 'this version', server: own }]
  const other = process.env.SYNOPTIC_BENCH_BASELINE
  if (other !== undefined) {
    // It may build files of its own format next to the catalogue.
    const copy = join(folder, `${many}-baseline`)
    cpSync(join(folder, `${many}`), copy, { recursive: true })
    const command = serveCommand().map((word) => word.replace(project, `${other}/`))
    const [built, server] = [
      await serve(children, copy, many, command),
      await serve(children, copy, many, command),
    ]
    process.kill(built.pid)
    versions.push({ name: 'baseline', server })
    await ask(
      server.origin,
      kinds.flatMap(({ bodies }) => bodies),
      warmUps,
    )
  }
  const measured = versions.map(() => kinds.map(() => ({ cpuMs: 0, ms: 0, count: 0 })))
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, { bodies }] of kinds.entries()) {
      for (const [version, { server }] of versions.entries()) {
        const sum = measured[version]?.[kind]
        if (sum === undefined) continue
        const [cpuBefore, start] = [cpuMsOf(server) ?? NaN, performance.now()]
        await askAll(server.origin, bodies)
        sum.cpuMs += (cpuMsOf(server) ?? NaN) - cpuBefore
        sum.ms += performance.now() - start
        sum.count += bodies.length
      }
    }
  }
  print(`  ${many} works, ${clients} clients`)
  versions.forEach(({ name, server }, version) => {
    const costs = kinds.map(({ name }, kind) => {
      const { cpuMs, ms, count } = measured[version]?.[kind] ?? { cpuMs: NaN, ms: NaN, count: 1 }
      return `${name} ${(count / (ms / 1000)).toFixed(0)}/s, ${(cpuMs / count).toFixed(1)} ms of CPU`
    })
    print(`    ${name}: ${costs.join('; ')}`)
    const ready = `${(server.readyMs / 1000).toFixed(1)} s until ready`
    print(`      ${privateMegabytes(server).toFixed(0)} MB private memory, ${ready}`)
  })
}

/** What a process shares with no other; only Linux counts it. */
function privateMegabytes({ pid }: Server): number {
  try {
    const [, kilobytes] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return NaN
  }
}

const placesIn = (folder: string): readonly string[] => [
  '--data-dir',
  join(folder, 'data'),
  '--embeddings-dir',
  join(folder, 'embeddings'),
]

function synoptic(words: readonly string[]): void {
  execFileSync(process.execPath, [join(project, 'dist/cli.js'), ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

interface Kind {
  readonly name: string
  readonly bodies: readonly string[]
}

function readKinds(): Kind[] {
  const lines = (file: string) =>
    readFileSync(join(project, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Partial<Record<string, string>>)
      .filter(({ dataset }) => dataset === 'anime')
  const step = Math.floor(shippedWorks.length / 80)
  const titles = shippedWorks
    .filter((_, place) => place % step === 0)
    .map(({ titles: { romaji, english } }) => english ?? romaji)
  return [
    kind(
      'descriptions',
      lines('bench/data/descriptions.jsonl').map(({ description }) => description),
    ),
    kind(
      'requests, works like others',
      lines('tools/fit-ranker/queries/hand.jsonl').map(({ query }) => query),
    ),
    kind('titles', titles),
  ]
}

function kind(name: string, queries: readonly (string | undefined)[]): Kind {
  return { name, bodies: queries.map((query) => JSON.stringify({ query })) }
}

async function ask(origin: string, bodies: readonly string[], count = bodies.length) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    return await timeRequests(agent, origin + path, bodies, count)
  } finally {
    agent.destroy()
  }
}

async function askAll(origin: string, bodies: readonly string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const queue = [...bodies]
  const askNext = async () => {
    for (let body = queue.shift(); body !== undefined; body = queue.shift())
      await timeRequests(agent, origin + path, [body], 1)
  }
  try {
    await Promise.all(Array.from({ length: clients }, askNext))
  } finally {
    agent.destroy()
  }
}

function report(
  print: (line: string) => void,
  name: string,
  few: readonly Timed[],
  large: readonly Timed[],
): void {
  const ratio = percentile(msOf(large), 0.5) / percentile(msOf(few), 0.5)
  print(`  ${name}: ${percentiles(msOf(large))}, ${ratio.toFixed(1)} times the included works`)
  print(`    the included works: ${percentiles(msOf(few))}`)
  for (const phase of ['rank', 'rerank', 'hydrate']) {
    const times = large.map(({ phases }) => phases[phase] ?? NaN)
    print(`    ${phase}: ${percentiles(times)}`)
  }
}

const msOf = (timed: readonly Timed[]): number[] => timed.map(({ ms }) => ms)

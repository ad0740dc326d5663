/**
 * /search with what people type, on as many works as the largest public catalogues have. The baseline is the same search
 * of the built-in works, in turns with it, and another version of the program where SYNOPTIC_BENCH_BASELINE names its
 * folder. SYNOPTIC_BENCH_PYTHON with tantivy adds its bm25 on one thread.
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
import { percentile, percentiles, timeRequests, type Timed } from './http-client.js'
import { serveCommand, startChild } from './http-servers.js'
import { shippedWorks, writeManyWorks } from './invented-works.js'
import { garbageFlags, printCosts, tantivyLines, type Started } from './many-works-costs.js'
import type { Trial } from './trial.js'

const many = Number(process.env.SYNOPTIC_BENCH_COUNT ?? 60_000)
const warmUps = 300
const rounds = 3
const targetP50Ms = 25
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
    const few = await serve(children, join(folder, 'few'), shippedWorks.length)
    make(join(folder, `${many}`), many)
    const baseline = copyForBaseline(folder)
    const large = await serve(children, join(folder, `${many}`), many)
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
    await compareVersions(children, print, { folder, baseline }, kinds, large)
  } finally {
    for (const child of children) child.kill()
    if (kept === undefined) rmSync(folder, { recursive: true })
  }
}

/** Makes the folder's catalogue unless it is there. */
function make(folder: string, count: number): void {
  if (existsSync(folder)) return
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const mapping = writeManyWorks(unfinished, count)
  synoptic(['data', 'import', mapping, '--works', 'off', ...placesIn(unfinished)])
  synoptic(['embed', 'build', '--model', 'builtin/static-en', ...placesIn(unfinished)])
  renameSync(unfinished, folder)
}

/** Copied before this version opens the catalogue, whose files it writes again in its own format. */
function copyForBaseline(folder: string): string | undefined {
  if (process.env.SYNOPTIC_BENCH_BASELINE === undefined) return undefined
  const copy = join(folder, `${many}-baseline`)
  if (!existsSync(copy)) cpSync(join(folder, `${many}`), copy, { recursive: true })
  return copy
}

/** Starts a server of the folder's catalogue, which is made unless it is there. */
async function serve(
  children: ChildProcess[],
  folder: string,
  count: number,
  command = serveCommand(),
): Promise<Started> {
  make(folder, count)
  const limits = ['--limit-concurrency', '256', '--request-timeout', '600']
  const settings = ['--workers', '1', '--log-file', 'none', '--query-cache', '0', ...limits]
  const address = ['--port', '0', '--host', '127.0.0.1', '--rate-limit', '0']
  // Nothing else is embedded meanwhile.
  const encoder = ['--search-encoder', 'builtin/static-en']
  const start = performance.now()
  const server = await startChild(children, folder, [
    ...garbageFlags,
    ...command,
    ...address,
    ...settings,
    ...encoder,
    ...placesIn(folder),
  ])
  const readyMs = performance.now() - start
  const body = JSON.stringify({ query: 'a girl who stays in the library of a floating city' })
  const [first] = await ask(server.origin, [body])
  return { ...server, folder, readyMs, firstMs: first?.ms ?? NaN }
}

/** The table of what a search costs, in turns with the other version on the same catalogue. */
async function compareVersions(
  children: ChildProcess[],
  print: (line: string) => void,
  { folder, baseline }: { readonly folder: string; readonly baseline: string | undefined },
  kinds: readonly Kind[],
  own: Started,
): Promise<void> {
  const versions = [{ name: 'this version', server: own }]
  const other = process.env.SYNOPTIC_BENCH_BASELINE
  if (other !== undefined && baseline !== undefined) {
    const command = serveCommand().map((word) => word.replace(project, `${other}/`))
    const [built, server] = [
      await serve(children, baseline, many, command),
      await serve(children, baseline, many, command),
    ]
    process.kill(built.pid)
    versions.push({ name: 'baseline', server })
    await ask(
      server.origin,
      kinds.flatMap(({ bodies }) => bodies),
      warmUps,
    )
  }
  print(`  ${many} works`)
  await printCosts(print, versions, kinds, (server, bodies, clients) =>
    askAll(server.origin, bodies, clients),
  )
  const [descriptions] = kinds
  const works = join(folder, `${many}`, 'anime.jsonl')
  for (const line of tantivyLines(works, descriptions?.queries ?? [])) print(line)
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
  readonly queries: readonly string[]
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
  const known = queries.flatMap((query) => query ?? [])
  return { name, queries: known, bodies: known.map((query) => JSON.stringify({ query })) }
}

async function ask(origin: string, bodies: readonly string[], count = bodies.length) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    return await timeRequests(agent, origin + path, bodies, count)
  } finally {
    agent.destroy()
  }
}

async function askAll(
  origin: string,
  bodies: readonly string[],
  clients: number,
): Promise<readonly number[]> {
  const times: number[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const queue = [...bodies]
  const askNext = async () => {
    for (let body = queue.shift(); body !== undefined; body = queue.shift())
      times.push(...msOf(await timeRequests(agent, origin + path, [body], 1)))
  }
  try {
    await Promise.all(Array.from({ length: clients }, askNext))
    return times
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

/**
 * How long a new user waits: from an empty cache of npm to the first answer, with the packed packages in a registry on
 * loopback (verdaccio) that has fetched everything before, so that no download counts. Then the same where
 * the core is compiled (`synoptic compile`), as without an addon for the platform.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { prebuiltAddon } from '#synoptic/native/addon/prebuilt.js'
import { cpuMsOfEnded } from './cpu-time.js'
import type { Trial } from './trial.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
/** Its program; it is no dependency: `npm install --prefix FOLDER verdaccio`. */
const verdaccio = process.env.SYNOPTIC_BENCH_VERDACCIO
const rounds = Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 3)
const goalSeconds = 30

export const trial: Trial = {
  words: ['install'],
  summary: 'From an empty cache to the first answer of an installed package.',
  async run(print) {
    if (verdaccio === undefined) {
      print('skipped: name the program of verdaccio in SYNOPTIC_BENCH_VERDACCIO')
      return
    }
    if (!existsSync(prebuiltAddon(project))) {
      print('skipped: there is no addon for this platform; run `npm run prebuild`')
      return
    }
    const scratch = mkdtempSync(join(tmpdir(), 'synoptic-bench-install-'))
    const registry = await startRegistry(verdaccio, scratch)
    try {
      publish(scratch, registry.url)
      // Fills the registry.
      await tryOnce(join(scratch, 'fill'), registry.url)
      print(`load of the machine: ${loadavg()[0]?.toFixed(1)}`)
      const runs = []
      for (let round = 0; round < rounds; round += 1)
        runs.push(await tryOnce(join(scratch, `round-${round}`), registry.url))
      const best = runs.reduce((a, b) => (a.total < b.total ? a : b))
      print(`${' '.repeat(24)}install      start   together  processor    on disk`)
      print(lineOf(`package, best of ${rounds}`, best))
      const built = await tryOnce(join(scratch, 'built'), registry.url, ['compile', '--all'])
      print(lineOf('compiled', built))
      print(`${(built.total / best.total).toFixed(1)} times faster; goal: ${goalSeconds} s`)
    } finally {
      await stop(registry.process)
      rmSync(scratch, { recursive: true, force: true })
    }
  },
}

interface Times {
  readonly install: number
  readonly start: number
  readonly total: number
  /** Seconds of the processors, on Linux; unlike the others, the same on a busy machine. */
  readonly processor: number
  readonly megabytes: number
}

function lineOf(name: string, { install, start, total, processor, megabytes }: Times): string {
  const cells = [install, start, total, processor].map((seconds) => `${seconds.toFixed(1)} s`)
  return `${name.padEnd(20)}${[...cells, `${megabytes} MB`].map((cell) => cell.padStart(11)).join('')}`
}

/**
 * In seconds: `npm install` in an empty project with an empty cache, then `synoptic serve` until it answers.
 * @param command of the program, between the two; counts for the install
 */
async function tryOnce(folder: string, registry: string, command?: string[]): Promise<Times> {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const env = {
    ...process.env,
    npm_config_registry: registry,
    npm_config_cache: join(folder, 'cache'),
    XDG_DATA_HOME: join(folder, 'home'),
    SYNOPTIC_LOG_LEVEL: 'error',
    SYNOPTIC_SEARCH_ENCODER: 'auto',
  }
  const program = join(folder, 'node_modules', '.bin', 'synoptic')
  const before = cpuMsOfEnded(process) ?? NaN
  const begun = performance.now()
  await run('npm', ['install', 'synoptic'], folder, env)
  if (command !== undefined) await run(program, command, folder, env)
  const installed = performance.now()
  const megabytes = sizeOf(join(folder, 'node_modules'))
  const starting = performance.now()
  const server = spawn(program, ['serve', '--port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let start: number
  try {
    await answers(await originOf(server.stdout))
    start = (performance.now() - starting) / 1000
  } finally {
    await stop(server)
  }
  const install = (installed - begun) / 1000
  const processor = ((cpuMsOfEnded(process) ?? NaN) - before) / 1000
  return { install, start, total: install + start, processor, megabytes }
}

/** Not synchronously: the registry's output would block it. */
async function run(program: string, words: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with status ${status}`)
}

/** The rest of the output is read too: a full pipe would stop the server, and a closed one ends it. */
async function originOf(output: Readable): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    output.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const [, origin] = /ready at (\S+)\n/.exec(printed) ?? []
      if (origin !== undefined) resolve(origin)
    })
    output.on('end', () => {
      reject(new Error(`expected a server that is ready, received ${printed}`))
    })
  })
}

async function answers(origin: string): Promise<void> {
  const response = await fetch(`${origin}/search/anime`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'a boy finds a notebook that kills', num_results: 1 }),
  })
  const answer = (await response.json()) as { results: { title: string }[] }
  if (answer.results[0]?.title !== 'Death Note') throw new Error(JSON.stringify(answer))
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const bytes = files
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return Math.round(bytes / 1e6)
}

function publish(scratch: string, registry: string): void {
  writeFileSync(
    join(scratch, '.npmrc'),
    `registry=${registry}\n${registry.replace('http:', '')}:_authToken=anybody\n`,
  )
  writeFileSync(join(scratch, 'package.json'), '{}')
  const packages = join(scratch, 'packages')
  const tool = join(project, 'tools', 'package', 'package.js')
  const platform = `${process.platform}-${process.arch}`
  const { status, stderr } = spawnSync(process.execPath, [tool, platform, '--to', packages], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  for (const file of readdirSync(packages)) npm(scratch, 'publish', join(packages, file))
}

function npm(cwd: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${words.join(' ')}: ${stderr}`)
  return stdout
}

async function startRegistry(program: string, scratch: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const upstream = npm(project, 'config', 'get', 'registry').trim()
  const everybody = { access: '$all', publish: '$all' }
  const config = {
    storage: join(scratch, 'storage'),
    uplinks: { upstream: { url: upstream, maxage: '1d' } },
    packages: {
      synoptic: everybody,
      '@synoptic/*': everybody,
      '**': { ...everybody, proxy: 'upstream' },
    },
    max_body_size: '100mb',
    log: { type: 'stdout', level: 'error' },
  }
  const file = join(scratch, 'verdaccio.yaml')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config))
  const words = [program, '--config', file, '--listen', `127.0.0.1:${port}`]
  const child = spawn(process.execPath, words, { cwd: scratch, stdio: 'ignore' })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`verdaccio ended with status ${child.exitCode}`)
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) return { url, process: child }
    await sleep(100)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

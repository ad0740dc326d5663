/**
 * How long a new user waits: from an empty cache of npm to the first answer, with the packed package in a registry on
 * loopback (verdaccio) that has fetched everything before, so that no download counts. Beside it the same where
 * the core is compiled, as in an install without an addon for its platform.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { prebuiltAddon } from '#synoptic/native/prebuilt.js'
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
      const runs = []
      for (let round = 0; round < rounds; round += 1)
        runs.push(await tryOnce(join(scratch, `round-${round}`), registry.url))
      const best = runs.reduce((a, b) => (a.total < b.total ? a : b))
      const built = await tryOnce(join(scratch, 'built'), registry.url, {
        npm_config_build_from_source: 'true',
      })
      print(`                      install   first start   together`)
      print(lineOf(`package, best of ${rounds}`, best))
      print(lineOf('compiled', built))
      print(`${(built.total / best.total).toFixed(1)} times faster; goal: ${goalSeconds} s`)
      if (best.isSqliteCompiled)
        print('better-sqlite3 was compiled in both: its prebuilt addon could not be fetched')
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
  readonly isSqliteCompiled: boolean
}

const lineOf = (name: string, { install, start, total }: Times) =>
  `${name.padEnd(20)}${[install, start, total].map((seconds) => `${seconds.toFixed(1)} s`.padStart(11)).join('')}`

/** In seconds: `npm install` in an empty project with an empty cache, then `npx synoptic serve` until it answers. */
async function tryOnce(
  folder: string,
  registry: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<Times> {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const env = {
    ...{ ...process.env, ...variables, npm_config_registry: registry },
    ...{ npm_config_cache: join(folder, 'cache'), XDG_DATA_HOME: join(folder, 'home') },
  }
  const begun = performance.now()
  // Not synchronously: the registry's output would block it.
  const install = spawn('npm', ['install', 'synoptic'], { cwd: folder, env, stdio: 'ignore' })
  const [status] = (await once(install, 'exit')) as [number | null]
  if (status !== 0) throw new Error(`npm install ended with status ${status}`)
  const installed = performance.now()
  const program = join(folder, 'node_modules', '.bin', 'synoptic')
  const server = spawn(program, ['serve', '--port', '0'], {
    ...{ cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] },
  })
  let told = ''
  for await (const text of server.stdout.setEncoding('utf8')) {
    told += String(text)
    if (/ready at \S+\n/.test(told)) break
  }
  const [, origin = ''] = /ready at (\S+)/.exec(told) ?? []
  const response = await fetch(`${origin}/search/anime`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'a boy finds a notebook that kills', num_results: 1 }),
  })
  const answer = (await response.json()) as { results: { title: string }[] }
  const answered = performance.now()
  if (answer.results[0]?.title !== 'Death Note') throw new Error(JSON.stringify(answer))
  await stop(server)
  return {
    install: (installed - begun) / 1000,
    start: (answered - installed) / 1000,
    total: (answered - begun) / 1000,
    isSqliteCompiled: existsSync(join(folder, 'node_modules/better-sqlite3/build')),
  }
}

function publish(scratch: string, registry: string): void {
  writeFileSync(
    join(scratch, '.npmrc'),
    `registry=${registry}\n${registry.replace('http:', '')}:_authToken=anybody\n`,
  )
  writeFileSync(join(scratch, 'package.json'), '{}')
  npm(project, 'pack', '--ignore-scripts', '--pack-destination', scratch)
  const { version } = JSON.parse(npm(project, 'pkg', 'get', 'version', 'name')) as {
    version: string
  }
  npm(scratch, 'publish', `./synoptic-${version}.tgz`)
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
    packages: { synoptic: everybody, '**': { ...everybody, proxy: 'upstream' } },
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
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutSearch } from '../faults/scene.js'
import { readMetrics, sumOf } from '../observability/text.js'
import { ask, cli, deathNote, startServer, workersOf, type ServerChild } from './child.js'
import { startLoad, until } from './load.js'
import { importSample } from './sample.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-serve-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const sample = join(scratch, 'sample')
beforeAll(() => importSample(sample))
let folders = 0
function copyOfSample(): string {
  folders += 1
  const folder = join(scratch, `copy-${folders}`)
  cpSync(sample, folder, { recursive: true })
  return folder
}

const unlimited = ['--rate-limit', '0']
/** Starts in half the time, for it need not read queries; no rehearsal of a search meets what a test has damaged. */
const lean = [...unlimited, ...withoutSearch]
const open: ServerChild[] = []
async function start(folder: string, words: readonly string[] = unlimited): Promise<ServerChild> {
  const server = await startServer(folder, words)
  open.push(server)
  return server
}
afterAll(() => {
  for (const { child } of open) child.kill('SIGKILL')
})

describe('a later start', () => {
  it('serves what is there, and ends on SIGINT as on SIGTERM', async () => {
    const server = await start(copyOfSample())
    expect(server.output.stderr).not.toContain('first start')
    const { status, body } = await ask(server.origin, deathNote)
    expect(status).toBe(200)
    expect(body.results).toHaveLength(10)
    expect(body).toHaveProperty('results.0.title', 'Death Note')
    expect(await server.stop('SIGINT')).toBe(0)
  })

  it('without embeddings says what mends it, serves the rest, and needs no restart', async () => {
    const folder = copyOfSample()
    rmSync(join(folder, 'embeddings', 'anime'), { recursive: true })
    const server = await start(folder)
    const { status, body } = await ask(server.origin, deathNote)
    expect(status).toBe(500)
    expect(body).toMatchObject({ type: 'urn:synoptic:problem:embeddings-missing' })
    expect(JSON.stringify(body)).not.toContain(folder)
    expect((await ask(server.origin, deathNote, 'manga')).status).toBe(200)
    const health = (await (await fetch(server.origin)).json()) as Record<string, unknown>
    expect(health).toMatchObject({ status: 'degraded', datasets: { anime: { models: [] } } })
    expect(health.reasons).toEqual([
      'anime: no model can search it; run `synoptic embed build --dataset anime --model builtin/static-en`',
    ])

    const remedy =
      /"level":40.*no embeddings.*synoptic embed build --dataset anime --model builtin\/static-en/
    await until(() => remedy.test(server.output.stderr))
    const mend = ['embed', 'build', '--dataset', 'anime', '--model', 'builtin/static-en']
    const built = spawnSync(process.execPath, [cli, ...mend], { cwd: folder, encoding: 'utf8' })
    expect(built.status, built.stderr).toBe(0)
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    await server.stop()
  })

  it.each([
    [
      'stale',
      'manifest.json',
      (file: string) => {
        const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
        writeFileSync(file, JSON.stringify({ ...manifest, datasetVersion: 'another' }))
      },
    ],
    ['stale', 'synopsis.npy', (file: string) => truncateSync(file, 1000)],
    ['stale', 'manifest.json', (file: string) => writeFileSync(file, '{')],
    ['missing', 'synopsis.npy', (file: string) => rmSync(file)],
  ])('with embeddings that are %s (%s) answers so', async (kind, name, spoil) => {
    const folder = copyOfSample()
    spoil(join(folder, 'embeddings', 'manga', 'builtin', 'static-en', name))
    const server = await start(folder, lean)
    const { status, body } = await ask(server.origin, deathNote, 'manga')
    expect(status).toBe(500)
    expect(body).toMatchObject({ type: `urn:synoptic:problem:embeddings-${kind}` })
    expect(JSON.stringify(body)).not.toMatch(/npy|\/tmp|expected/)
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  it('whose embeddings are written over while it serves says so, and opens what is there next', async () => {
    const folder = copyOfSample()
    const file = join(folder, 'embeddings', 'anime', 'builtin', 'static-en', 'synopsis.npy')
    const whole = readFileSync(file)
    const server = await start(folder, lean)
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    truncateSync(file, 4096)
    const { status, body } = await ask(server.origin, deathNote)
    expect(status).toBe(503)
    expect(body).toMatchObject({ type: 'urn:synoptic:problem:embeddings-broken' })
    writeFileSync(file, whole)
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  it('writes no log file where none is wanted', async () => {
    const folder = copyOfSample()
    const server = await start(folder, [...lean, '--log-file', 'none'])
    await server.stop()
    expect(existsSync(join(folder, 'logs'))).toBe(false)
  })

  it('releases what is idle, and loads it again', async () => {
    const server = await start(copyOfSample(), [...lean, '--idle-timeout', '0.2'])
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    await until(() => server.output.stderr.includes('released what was idle'))
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

describe('a start that cannot be', () => {
  it('refuses a catalogue that is a link to nothing, and puts no sample in its place', async () => {
    const folder = copyOfSample()
    const file = join(folder, 'data', 'catalogue.sqlite')
    rmSync(file)
    symlinkSync(join(folder, 'unmounted', 'catalogue.sqlite'), file)
    await expect(start(folder)).rejects.toThrow(/links to .*unmounted.*, which is not there/)
    const others = readdirSync(join(folder, 'data')).filter((name) => !name.endsWith('.rows'))
    expect(others).toEqual(['catalogue.sqlite'])
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
  })

  it('says that the port is taken, once and without a stack', async () => {
    const folder = copyOfSample()
    const server = await start(folder, lean)
    const { port } = new URL(server.origin)
    for (const workers of ['1', '2']) {
      const words = ['--port', port, '--workers', workers, '--log-file', 'none']
      await expect(startServer(folder, words)).rejects.toThrow(
        new RegExp(`^error: port ${port} of 127.0.0.1 is in use; choose another with --port\n$`),
      )
    }
    await server.stop()
  })

  it('says that the catalogue is damaged, and what mends it', async () => {
    const folder = copyOfSample()
    writeFileSync(join(folder, 'data', 'catalogue.sqlite'), 'not a database')
    await expect(startServer(folder)).rejects.toThrow(/catalogue.*synoptic data import/)
  })

  it('says that the address is none of this machine', async () => {
    await expect(startServer(sample, ['--host', '203.0.113.7'])).rejects.toThrow('--host')
  })
})

describe('--workers 2', () => {
  it('shares the rate limit, starts a killed worker again and stops as one', async () => {
    const server = await start(copyOfSample(), [
      '--workers',
      '2',
      '--rate-limit',
      '0.0001',
      '--rate-limit-loopback',
    ])
    expect(server.output.stdout).toContain('2 processes')
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await ask(server.origin, deathNote)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)

    const pids = () => {
      const lines = server.output.stderr.match(/"pid":\d+/g) ?? []
      return [...new Set(lines.map((line) => Number(line.slice(6))))]
    }
    while (pids().length < 2) {
      await fetch(`${server.origin}/readyz`, { headers: { connection: 'close' } })
    }
    const [victim = NaN] = pids().filter((pid) => pid !== server.child.pid)
    process.kill(victim, 'SIGKILL')
    await until(() => server.output.stderr.includes('a worker died'))
    for (let i = 0; i < 8; i++) {
      expect((await fetch(`${server.origin}/livez`)).status).toBe(200)
    }
    expect(await server.stop('SIGTERM')).toBe(0)
    for (const pid of pids()) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('logs every answer, also those that it gave while it was stopping', async () => {
    const folder = copyOfSample()
    const server = await start(folder, [...unlimited, '--workers', '2'])
    const before = readFileSync(join(folder, 'logs', 'api.log'), 'utf8').length
    const load = startLoad(server.origin, 8)
    await until(() => (load.outcomes.get('200') ?? 0) > 50)
    expect(await server.stop('SIGTERM')).toBe(0)
    const { 200: answered = 0 } = await load.stop()
    const lines = readFileSync(join(folder, 'logs', 'api.log'), 'utf8').slice(before)
    expect(lines.match(/"path":"\/searchmodel\/anime","status":200/g)?.length).toBe(answered)
  })
})

describe('GET /metrics of a real server', () => {
  const metricsOf = async ({ origin }: ServerChild) =>
    readMetrics(await (await fetch(`${origin}/metrics`)).text())

  it('counts what models, searches and the cache of entries did', async () => {
    const server = await start(copyOfSample(), [...lean, '--workers', '1'])
    for (let i = 0; i < 3; i++) expect((await ask(server.origin, deathNote)).status).toBe(200)
    const samples = await metricsOf(server)
    const model = 'builtin/static-en'
    // A repeated query's vector is remembered; loading the model reads a text too, which is not counted.
    expect(sumOf(samples, 'synoptic_encoder_batch_texts_sum', { model })).toBe(1)
    expect(sumOf(samples, 'synoptic_query_vectors_total', { cache: 'hit' })).toBe(2)
    expect(sumOf(samples, 'synoptic_encoder_tokens_total', { of: 'texts' })).toBeGreaterThan(10)
    expect(sumOf(samples, 'synoptic_encoder_tokens_total', { of: 'padding' })).toBe(0)
    expect(sumOf(samples, 'synoptic_sweep_queries_sum', { dataset: 'anime', model })).toBe(3)
    expect(sumOf(samples, 'synoptic_scanned_bytes_total', { dataset: 'anime' })).toBeGreaterThan(0)
    expect(sumOf(samples, 'synoptic_survivors_total', { dataset: 'anime' })).toBeGreaterThan(29)
    expect(sumOf(samples, 'synoptic_entries_total', { cache: 'miss' })).toBe(10)
    expect(sumOf(samples, 'synoptic_entries_total', { cache: 'hit' })).toBe(20)
    expect(sumOf(samples, 'synoptic_mapped_bytes')).toBeGreaterThan(100_000)
    expect(sumOf(samples, 'synoptic_model_bytes')).toBeGreaterThan(1_000_000)
    await server.stop()
  })

  it('is of all processes, and no count falls when one of them is killed', async () => {
    const server = await start(copyOfSample(), [...lean, '--workers', '2'])
    for (let i = 0; i < 20; i++) await ask(server.origin, deathNote)
    const counted = (samples: Awaited<ReturnType<typeof metricsOf>>) =>
      sumOf(samples, 'synoptic_request_duration_seconds_count', { route: '/searchmodel/anime' })
    const processesOf = (samples: Awaited<ReturnType<typeof metricsOf>>) =>
      samples
        .filter(({ name }) => name === 'process_resident_memory_bytes')
        .map(({ labels }) => labels.worker)
        .sort()
    // A worker that takes long to say what it has counted is left out, or counts with its last report.
    await until(async () => {
      const samples = await metricsOf(server)
      expect(counted(samples)).toBeLessThanOrEqual(20)
      return counted(samples) === 20 && processesOf(samples).join() === '1,2,primary'
    })

    const [victim = NaN] = workersOf(server)
    process.kill(victim, 'SIGKILL')
    await until(async () => {
      // A connection that the killed worker held breaks.
      const after = await metricsOf(server).catch(() => [])
      return after.some(({ labels }) => labels.worker === '3')
    })
    const after = await metricsOf(server)
    expect(counted(after)).toBe(20)
    expect(sumOf(after, 'synoptic_worker_deaths_total')).toBe(1)
    await server.stop()
  })
})

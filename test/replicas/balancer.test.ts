/**
 * Three real servers behind a real balancer: clients notice neither a death nor an update. By day drain.test.ts
 * looks at one server.
 * @module-tag nightly
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMetrics, sumOf } from '../observability/text.js'
import { startServer, type ServerChild } from '../serve/child.js'
import { startLoad, until, type Load } from '../serve/load.js'
import { importSample } from '../serve/sample.js'
import { noHaproxy, startHaproxy, type Balancer } from './haproxy.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-replicas-'))
/** Every replica reads the same files, as from an image or a shared volume. */
const common = ['--log-file', 'none', '--rate-limit', '0', '--threads', '1', '--drain', '1']
/** One drains several processes. */
const workersOf = (replica: number) => ['--workers', replica === 2 ? '2' : '1']

const replicas: ServerChild[] = []
let balancer: Balancer | undefined

const start = (replica: number, ...words: string[]) =>
  startServer(folder, [...common, ...workersOf(replica), ...words])

/** On the port of the one before it. */
async function startAgain(replica: number): Promise<void> {
  const { port } = new URL(replicas[replica]?.origin ?? '')
  replicas[replica] = await start(replica, '--port', port)
  await until(async () => (await balancer?.states())?.[replica] === 'UP')
}

/** Clients that go on get answers, however many more. */
async function answered(load: Load, more = 200): Promise<void> {
  const before = load.outcomes.get('200') ?? 0
  await until(() => (load.outcomes.get('200') ?? 0) >= before + more || load.outcomes.size > 1)
}

async function searchesOf({ origin }: ServerChild): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return sumOf(readMetrics(text), 'synoptic_request_duration_seconds_count', {
    route: '/searchmodel/anime',
  })
}

beforeAll(async () => {
  if (noHaproxy !== undefined) return
  await importSample(folder)
  replicas.push(...(await Promise.all([0, 1, 2].map((replica) => start(replica)))))
  balancer = await startHaproxy(
    folder,
    replicas.map(({ origin }) => origin),
  )
}, 120_000)

afterAll(async () => {
  await balancer?.stop()
  for (const { child } of replicas) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

describe('clients of three replicas behind HAProxy', () => {
  it('notice nothing of one that is killed', { timeout: 120_000 }, async ({ skip }) => {
    if (noHaproxy !== undefined) skip(noHaproxy)
    const load = startLoad(balancer?.origin ?? '', 6)
    await answered(load)
    const [victim] = replicas
    if (victim === undefined) throw new Error('no replica')
    expect(await searchesOf(victim)).toBeGreaterThan(0)
    victim.child.kill('SIGKILL')
    await until(async () => (await balancer?.states())?.[0] !== 'UP')
    await answered(load)
    expect(Object.keys(await load.stop())).toEqual(['200'])
    await startAgain(0)
  })

  it('notice nothing of a rolling update', { timeout: 120_000 }, async ({ skip }) => {
    if (noHaproxy !== undefined) skip(noHaproxy)
    const load = startLoad(balancer?.origin ?? '', 6)
    await answered(load)
    for (const [number, replica] of replicas.entries()) {
      expect(await replica.stop('SIGTERM')).toBe(0)
      await answered(load, 50)
      await startAgain(number)
    }
    expect(Object.keys(await load.stop())).toEqual(['200'])
  })
})

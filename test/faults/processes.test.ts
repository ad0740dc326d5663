import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ask, deathNote } from '../serve/child.js'
import { startLoad, until } from '../serve/load.js'
import { logOf, openScene, type Scene } from './scene.js'

const clients = 4
const workersOf = ({ child }: Scene) =>
  spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map(Number)

describe('workers that are killed under load', () => {
  it('lose their own requests alone, and are started again', async () => {
    const server = await openScene(['--workers', '2'])
    const load = startLoad(server.origin, clients)
    const kills = 2
    for (let kill = 1; kill <= kills; kill++) {
      const answered = load.outcomes.get('200') ?? 0
      await until(() => (load.outcomes.get('200') ?? 0) > answered + 10)
      const before = workersOf(server)
      process.kill(before[0] ?? 0, 'SIGKILL')
      await until(() => workersOf(server).filter((pid) => !before.includes(pid)).length === 1)
      const [fresh = 0] = workersOf(server).filter((pid) => !before.includes(pid))
      await until(async () => {
        // Whoever keeps a connection stays with the worker that has it.
        await fetch(`${server.origin}/livez`, { headers: { connection: 'close' } })
        return logOf(server).includes(`"pid":${fresh},`)
      })
    }
    const outcomes = await load.stop()
    const { 200: answered = 0, ...lost } = outcomes
    const lostCount = Object.values(lost).reduce((sum, count) => sum + count, 0)
    expect(answered).toBeGreaterThan(kills * 10)
    // A client waits for one answer at a time, so a death costs each at most one.
    expect(lostCount, JSON.stringify(outcomes)).toBeLessThanOrEqual(kills * clients)
    expect(Object.keys(lost).every((kind) => /^(ECONN|UND_ERR|EPIPE)/.test(kind))).toBe(true)
    expect(logOf(server).match(/a worker died/g)).toHaveLength(kills)
    expect(await server.stop()).toBe(0)
  }, 120_000)
})

describe('encoder threads', () => {
  const broken = ['--import', fileURLToPath(new URL('break-threads.js', import.meta.url))]

  it('that end under load fail the requests in their hands, and are started again', async () => {
    const server = await openScene([], broken)
    const load = startLoad(server.origin, clients)
    for (let kill = 0; kill < 3; kill++) {
      const answered = load.outcomes.get('200') ?? 0
      await until(() => (load.outcomes.get('200') ?? 0) > answered + 10)
      server.child.kill('SIGUSR2')
    }
    const answered = load.outcomes.get('200') ?? 0
    await until(() => (load.outcomes.get('200') ?? 0) > answered + 10)
    const { 200: good = 0, 500: failed = 0, ...others } = await load.stop()
    expect(others).toEqual({})
    expect(good).toBeGreaterThan(40)
    expect(failed).toBeLessThanOrEqual(3 * clients)
    expect(await server.stop()).toBe(0)
  }, 120_000)

  it('that run out of memory fail their requests, and the next ones are served', async () => {
    // Two starve while the server warms up, one for each dataset, the third in the hands of a request.
    const server = await openScene([], broken, { STARVED: '3' })
    const first = await ask(server.origin, deathNote)
    expect(first).toMatchObject({
      status: 500,
      body: { type: 'urn:synoptic:problem:encoding-failed' },
    })
    await until(() => logOf(server).includes('ERR_WORKER_OUT_OF_MEMORY'))
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    expect((await fetch(`${server.origin}/livez`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  }, 60_000)
})

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ask, deathNote, workersOf } from '../serve/child.js'
import { startLoad, until, type Question } from '../serve/load.js'
import { logOf, openScene } from './scene.js'

const clients = 4

const ranked: Question = async (origin) => {
  const response = await fetch(`${origin}/search/anime`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: deathNote.description }),
  })
  await response.arrayBuffer()
  return response
}

describe('workers that are killed under load', () => {
  it('lose their own requests alone, and others take their place', async () => {
    const server = await openScene(['--workers', '2'])
    const loads = [startLoad(server.origin, clients), startLoad(server.origin, clients, ranked)]
    const answered = () => loads.map(({ outcomes }) => outcomes.get('200') ?? 0)
    const kills = 2
    for (let kill = 1; kill <= kills; kill++) {
      const before = answered()
      await until(() => answered().every((count, load) => count > (before[load] ?? 0) + 10))
      process.kill(workersOf(server)[0] ?? 0, 'SIGKILL')
      await until(() => logOf(server).match(/a worker took its place/g)?.length === kill)
    }
    // Whoever keeps a connection stays with the worker that has it, so a new one is made each time.
    const [fresh = 0] = workersOf(server).slice(-1)
    await until(async () => {
      await fetch(`${server.origin}/readyz`, { headers: { connection: 'close' } }).catch(() => 0)
      return logOf(server).includes(`"pid":${fresh},`)
    })
    for (const load of loads) {
      const outcomes = await load.stop()
      const { 200: good = 0, ...lost } = outcomes
      const lostCount = Object.values(lost).reduce((sum, count) => sum + count, 0)
      expect(good).toBeGreaterThan(kills * 10)
      // A client waits for one answer at a time, so a death costs each at most one.
      expect(lostCount, JSON.stringify(outcomes)).toBeLessThanOrEqual(kills * clients)
      expect(Object.keys(lost).every((kind) => /^(ECONN|UND_ERR|EPIPE)/.test(kind))).toBe(true)
    }
    expect(logOf(server).match(/a worker died/g)).toHaveLength(kills)
    expect(await server.stop()).toBe(0)
  }, 120_000)
})

describe('a worker that dies', () => {
  it('with a connection that was being handed to it leaves that to another', async () => {
    const server = await openScene(['--workers', '2'])
    const [halted = 0] = workersOf(server)
    process.kill(halted, 'SIGSTOP')
    const answers = Array.from({ length: 8 }, () =>
      fetch(`${server.origin}/livez`, { headers: { connection: 'close' } }),
    )
    // All but the one that is handed to whoever does not move.
    const isAnswered = new Set<number>()
    for (const [i, answer] of answers.entries()) void answer.then(() => isAnswered.add(i))
    await until(() => isAnswered.size === answers.length - 1)
    process.kill(halted, 'SIGKILL')
    for (const answer of answers) expect((await answer).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

describe('a primary that is killed', () => {
  it('takes its workers along', async () => {
    const server = await openScene(['--workers', '2'])
    const workers = workersOf(server)
    expect(workers).toHaveLength(2)
    server.child.kill('SIGKILL')
    const isThere = (pid: number) => existsSync(`/proc/${pid}`)
    await until(() => !workers.some(isThere))
    await expect(fetch(`${server.origin}/livez`)).rejects.toThrow()
  })
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

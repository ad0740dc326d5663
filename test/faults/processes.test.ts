import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { canReusePort } from '#synoptic/server/cluster/shared-port.js'
import { ask, deathNote, workersOf } from '../serve/child.js'
import { startLoad, until, type Question } from '../serve/load.js'
import { logOf, openScene, withoutSearch, type Scene } from './scene.js'

const isLinux = process.platform === 'linux'
const clients = 4

const ranked: Question = { path: '/search/anime', body: { query: deathNote.description } }

interface Begun {
  /** Sends the body; answers the status, or the code of the error. */
  readonly finish: () => Promise<unknown>
}

interface Connection {
  /** Of a request that the worker has answered; its log line says which worker that is. */
  readonly requestId: string
  /** Resolves when the worker has admitted a search by its head. */
  readonly begin: () => Promise<Begun>
  /** Sends a whole search. Resolves with the status, or with the code of the error. */
  readonly send: () => Promise<unknown>
}

/** A connection to some worker. */
async function connect({ origin }: Scene): Promise<Connection> {
  const agent = new Agent({ keepAlive: true })
  const ask = (path: string, headers: Record<string, string>, method = 'GET') => {
    const sent = request(`${origin}${path}`, { method, agent, headers })
    const status = once(sent, 'response').then(async ([answer]: IncomingMessage[]) => {
      await once(answer?.resume() ?? sent, 'end')
      return answer?.statusCode
    })
    return { sent, outcome: status.catch((error: unknown) => codeOf(error)) }
  }
  const first = ask('/livez', {})
  let requestId = ''
  first.sent.once('response', ({ headers }: IncomingMessage) => {
    requestId = String(headers['x-request-id'])
  })
  first.sent.end()
  await first.outcome
  return {
    requestId,
    send() {
      const { sent, outcome } = ask(
        '/searchmodel/anime',
        { 'content-type': 'application/json' },
        'POST',
      )
      sent.end(JSON.stringify(deathNote))
      return outcome.finally(() => agent.destroy())
    },
    async begin() {
      const headers = { 'content-type': 'application/json', expect: '100-continue' }
      const { sent, outcome } = ask('/searchmodel/anime', headers, 'POST')
      sent.flushHeaders()
      await once(sent, 'continue')
      return {
        async finish() {
          sent.end(JSON.stringify(deathNote))
          return outcome.finally(() => agent.destroy())
        },
      }
    },
  }
}

/** So many connections to each worker. Whichever is awake takes connections that come together, often all of them. */
async function connectToEach(server: Scene, count: number): Promise<Map<number, Connection[]>> {
  const byWorker = new Map<number, Connection[]>(workersOf(server).map((pid) => [pid, []]))
  for (let round = 0; round < 200; round += 1) {
    const connection = await connect(server)
    const line = new RegExp(`"pid":(\\d+),.*"requestId":"${connection.requestId}"`)
    await until(() => line.test(logOf(server)))
    const [, pid] = line.exec(logOf(server)) ?? []
    byWorker.get(Number(pid))?.push(connection)
    if ([...byWorker.values()].every(({ length }) => length >= count)) break
  }
  return new Map([...byWorker].map(([pid, all]) => [pid, all.slice(0, count)]))
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Process ids of the workers that took the places of dead ones. */
const replacements = (server: Scene) =>
  [...logOf(server).matchAll(/"worker":(\d+).*a worker replaced it/g)].map(([, pid]) => pid)

describe('workers that are killed under load', () => {
  it('lose their own requests alone, and others take their place', async () => {
    const server = await openScene(['--workers', '2'])
    const loads = [
      startLoad(server.origin, clients),
      startLoad(server.origin, clients, { question: ranked }),
    ]
    const answered = () => loads.map(({ outcomes }) => outcomes.get('200') ?? 0)
    const kills = 2
    for (let kill = 1; kill <= kills; kill++) {
      const before = answered()
      await until(() => answered().every((count, load) => count > (before[load] ?? 0) + 10))
      // No process, where there is none; 0 would be the tests' own.
      const [victim = NaN] = workersOf(server)
      process.kill(victim, 'SIGKILL')
      await until(() => replacements(server).length === kill)
    }
    // A kept connection stays with its worker, so a new one is made each time.
    const fresh = replacements(server).at(-1)
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
      expect(Object.keys(lost).every((kind) => /^(ECONN|EPIPE)/.test(kind))).toBe(true)
    }
    expect(logOf(server).match(/a worker died/g)).toHaveLength(kills)
    expect(await server.stop()).toBe(0)
  })
})

describe('a worker that dies', () => {
  it('takes at most those connections along that wait for it', async () => {
    const server = await openScene(['--workers', '2', ...withoutSearch])
    const [halted = NaN] = workersOf(server)
    process.kill(halted, 'SIGSTOP')
    const count = 8
    const outcomes: unknown[] = []
    const get = () =>
      fetch(`${server.origin}/livez`, { headers: { connection: 'close' } }).then(
        ({ status }) => outcomes.push(status),
        (error: unknown) => outcomes.push(error instanceof Error ? error.cause : error),
      )
    const answers = Array.from({ length: count }, get)
    // With reusePort some of them wait for the halted worker; a socket that all share leaves none to it.
    if (!canReusePort()) await Promise.all(answers)
    process.kill(halted, 'SIGKILL')
    await Promise.all(answers)
    const lost = outcomes.filter((outcome) => outcome !== 200)
    expect(lost.length).toBeLessThan(canReusePort() ? count : 1)
    for (const error of lost) expect(String(codeOf(error))).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/)
    await until(() => replacements(server).length === 1)
    outcomes.length = 0
    for (let i = 0; i < count; i++) await get()
    expect(outcomes).toEqual(Array(count).fill(200))
    expect(await server.stop()).toBe(0)
  })

  it('while the primary counts its requests loses its own requests alone', async () => {
    const server = await openScene([
      '--workers',
      '2',
      '--rate-limit',
      '1',
      '--rate-limit-loopback',
      '--rate-burst',
      '6',
      ...withoutSearch,
    ])
    const [victim = NaN, survivor = NaN] = workersOf(server)
    const connections = await connectToEach(server, 3)
    server.child.kill('SIGSTOP')
    // The primary counts each of them before the worker admits it.
    const sendAll = (pid: number) =>
      Promise.all((connections.get(pid) ?? []).map(({ send }) => send()))
    const outcomes = [sendAll(victim), sendAll(survivor)]
    process.kill(victim, 'SIGKILL')
    await until(() => !isRunning(victim))
    server.child.kill('SIGCONT')
    const [lost = [], answered] = await Promise.all(outcomes)
    expect(lost).toHaveLength(3)
    for (const outcome of lost) expect(String(outcome)).toMatch(/^(ECONN|EPIPE)/)
    expect(answered).toEqual([200, 200, 200])
    await until(() => replacements(server).length === 1)
    expect(await server.stop()).toBe(0)
  })

  it.skipIf(!isLinux)('is replaced as soon as another can be forked and can serve', async () => {
    const server = await openScene(['--workers', '2', ...withoutSearch])
    const catalogue = join(server.folder, 'data', 'catalogue.sqlite')
    const deaths = (status: number) =>
      logOf(server).match(new RegExp(`"status":${status},.*a worker died`, 'g'))?.length ?? 0
    const [victim = NaN] = workersOf(server)
    limitFiles(server, 16)
    process.kill(victim, 'SIGKILL')
    await until(() => deaths(-constants.errno.EMFILE) > 0)
    renameSync(catalogue, `${catalogue}.aside`)
    limitFiles(server, 1024)
    await until(() => deaths(1) > 0)
    renameSync(`${catalogue}.aside`, catalogue)
    await until(() => replacements(server).length === 1)
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    expect((await fetch(`${server.origin}/metrics`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

/** Descriptors that the first process of a server may have from now on. */
const limitFiles = ({ child }: Scene, files: number) =>
  execFileSync('prlimit', ['--pid', String(child.pid), `--nofile=${files}:`])

/** The parent of a process that has ended may leave it in the table for as long as it likes. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

/** Reads an answer to its end, so that its connection can close; it counts for nothing. */
const ignore = (answer: Response) => answer.arrayBuffer().then(() => false)

describe('a primary that is killed', () => {
  it('takes its workers along, once they have answered', async () => {
    const server = await openScene(['--workers', '2', ...withoutSearch])
    const workers = workersOf(server)
    expect(workers).toHaveLength(2)
    const connections = await Promise.all([1, 2, 3, 4].map(() => connect(server)))
    const searches = await Promise.all(connections.map(({ begin }) => begin()))
    expect(await server.stop('SIGKILL')).toBeNull()
    // A worker takes connections until it notices, and answers on those that it has taken meanwhile.
    await until(() => fetch(`${server.origin}/livez`).then(ignore, () => true))
    for (const { finish } of searches) expect(await finish()).toBe(200)
    await until(() => !workers.some(isRunning))
  })
})

describe('encoder threads', () => {
  const broken = ['--import', fileURLToPath(new URL('break-threads.js', import.meta.url))]

  it('that end under load fail the requests in their hands, and are started again', async () => {
    // Each search is encoded, although all ask the same.
    const server = await openScene(['--query-cache', '0', ...withoutSearch], broken)
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
  })

  it('that run out of memory fail their requests, and the next ones are served', async () => {
    const server = await openScene(withoutSearch, broken, { STARVED: 'yes' })
    const first = await ask(server.origin, deathNote)
    expect(first).toMatchObject({
      status: 500,
      body: { type: 'urn:synoptic:problem:encoding-failed' },
    })
    await until(() => logOf(server).includes('ERR_WORKER_OUT_OF_MEMORY'))
    expect((await fetch(`${server.origin}/livez`)).status).toBe(200)
    server.child.kill('SIGUSR2')
    await until(async () => (await ask(server.origin, deathNote)).status === 200)
    expect(await server.stop()).toBe(0)
  })
})

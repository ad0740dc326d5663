import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createApiKey, hashOf } from '#synoptic/base/keys/api-key.js'
import type { KeyRecord } from '#synoptic/base/keys/key-record.js'
import { begunFolder, logOf, withoutSearch, type Scene } from '../faults/scene.js'
import { freePort } from '../helpers/sockets.js'
import { deathNote, startServer, workersOf, type ServerChild } from './child.js'
import { until } from './load.js'

const created = '2026-01-01T00:00:00.000Z'
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface TestKey {
  readonly key: string
  readonly record: KeyRecord
}

function newKey(name: string, more: Partial<KeyRecord> = {}): TestKey {
  const key = createApiKey()
  const hash = hashOf(key).toString('hex')
  return { key, record: { name, hash, scopes: ['search'], created, ...more } }
}

const writeKeys = (folder: string, keys: readonly TestKey[]) =>
  writeFileSync(
    join(folder, 'keys.json'),
    JSON.stringify({ keys: keys.map(({ record }) => record) }),
  )

/** A server that needs one of these keys. */
async function openGuarded(
  keys: readonly TestKey[],
  words: readonly string[] = [],
  environment = {},
): Promise<Scene> {
  const folder = await begunFolder()
  writeKeys(folder, keys)
  const all = ['--rate-limit', '0', '--api-keys', 'keys.json', ...withoutSearch, ...words]
  const server = await startServer(folder, all, [], environment)
  stops.push(() => server.child.exitCode ?? server.stop())
  return { ...server, folder }
}

async function statusWith({ origin }: Pick<ServerChild, 'origin'>, key: string): Promise<number> {
  // A connection each, so that all workers have some.
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
    connection: 'close',
  }
  const body = JSON.stringify(deathNote)
  const response = await fetch(`${origin}/searchmodel/anime`, { method: 'POST', headers, body })
  await response.text()
  return response.status
}

async function allStatusesWith(server: ServerChild, key: string): Promise<number[]> {
  const statuses = await Promise.all(Array.from({ length: 12 }, () => statusWith(server, key)))
  return [...new Set(statuses)]
}

describe.each(['1', '2'])('the keys of a server of %s process(es)', (workers) => {
  const first = newKey('first')
  const second = newKey('second')

  it('are read again at SIGHUP, also where the new catalogue is refused', async () => {
    const server = await openGuarded([first], ['--workers', workers])
    expect(await allStatusesWith(server, first.key)).toEqual([200])
    expect(await allStatusesWith(server, second.key)).toEqual([401])

    // Aside, as an import would: the server has the old file open.
    writeFileSync(join(server.folder, 'data', 'new'), 'no catalogue')
    renameSync(join(server.folder, 'data', 'new'), join(server.folder, 'data', 'catalogue.sqlite'))
    writeKeys(server.folder, [second])
    server.child.kill('SIGHUP')
    await until(() => logOf(server).includes('the reload failed; serving the old data'))
    await until(async () => (await allStatusesWith(server, first.key)).every((s) => s === 401))
    await until(async () => (await allStatusesWith(server, second.key)).every((s) => s === 200))
    expect(logOf(server).match(/read the key file again/g)).toHaveLength(1)
    expect(await server.stop()).toBe(0)
  })

  it('stay where the file is broken, and the log says so', async () => {
    const server = await openGuarded([first], ['--workers', workers])
    for (const broken of ['{"keys": [', '{"keys": [{"name": "x"}]}']) {
      const before = logOf(server).length
      writeFileSync(join(server.folder, 'keys.json'), broken)
      server.child.kill('SIGHUP')
      await until(() =>
        logOf(server).slice(before).includes('the key file cannot be read; the old keys stay'),
      )
      await until(() => logOf(server).slice(before).includes('"reloaded"'))
      expect(await allStatusesWith(server, first.key)).toEqual([200])
    }
    writeKeys(server.folder, [second])
    server.child.kill('SIGHUP')
    await until(async () => (await allStatusesWith(server, first.key)).every((s) => s === 401))
    // Twelve connections may all have reached the process that has its keys first.
    await until(async () => (await allStatusesWith(server, second.key)).every((s) => s === 200))
    expect(await server.stop(), logOf(server)).toBe(0)
  })
})

it('a worker that starts while the key file is broken has the keys of the others', async () => {
  const first = newKey('first')
  const server = await openGuarded([first], ['--workers', '2'])
  writeFileSync(join(server.folder, 'keys.json'), 'broken')
  const [old = 0] = workersOf(server)
  process.kill(old, 'SIGKILL')
  await until(() => logOf(server).includes('a worker replaced it'))
  expect(await allStatusesWith(server, first.key)).toEqual([200])
  expect(await server.stop(), logOf(server)).toBe(0)
})

it('one key has one count in all processes, and metrics of all of them', async () => {
  const limited = newKey('limited', { perMinute: 3 })
  const operator = newKey('operator', { scopes: ['admin'] })
  const server = await openGuarded([limited, operator], ['--workers', '2'])
  const statuses = await Promise.all(
    Array.from({ length: 12 }, () => statusWith(server, limited.key)),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(3)
  const headers = { 'x-api-key': operator.key }
  const metrics = await (await fetch(`${server.origin}/metrics`, { headers })).text()
  expect(metrics).toContain('synoptic_key_requests_total{key="limited",status="200"} 3')
  expect(metrics).toContain('synoptic_key_requests_total{key="limited",status="429"} 9')
  expect(await server.stop(), logOf(server)).toBe(0)
})

it('no key is in logs and traces, wherever a client puts it', async () => {
  let traces = ''
  const collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (traces += chunk.toString()))
    request.on('end', () => response.end('{}'))
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  stops.push(() => collector.close())
  const { port } = collector.address() as AddressInfo
  const known = newKey('known', { scopes: ['search', 'admin'] })
  const unknown = newKey('unknown')
  const server = await openGuarded(
    [known],
    ['--workers', '2', '--log-queries', '--log-level', 'trace'],
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    },
  )
  const bodies: string[] = []
  for (const { key } of [known, unknown]) {
    const json = { 'content-type': 'application/json' }
    const requests: [string, RequestInit][] = [
      [
        '/searchmodel/anime',
        {
          method: 'POST',
          headers: { ...json, authorization: `Bearer ${key}` },
          body: JSON.stringify(deathNote),
        },
      ],
      ['/searchmodel/anime', { method: 'POST', headers: { ...json, 'x-api-key': key }, body: '{' }],
      [
        '/searchmodel/anime',
        {
          method: 'POST',
          headers: { ...json, 'x-api-key': known.key },
          body: JSON.stringify({ ...deathNote, description: `my key is ${key}` }),
        },
      ],
      ['/metrics', { headers: { 'x-api-key': key } }],
      [`/entries/anime/${key}`, { headers: { 'x-api-key': known.key } }],
      [`/${key}`, {}],
      ['/', { headers: { authorization: key, 'user-agent': key } }],
    ]
    for (const [path, init] of requests) {
      bodies.push(await (await fetch(`${server.origin}${path}`, init)).text())
    }
  }
  expect(await server.stop(), logOf(server)).toBe(0)
  const log = readFileSync(join(server.folder, 'logs', 'api.log'), 'utf8')
  expect(log).toContain('my key is syn_***')
  expect(traces).toContain('POST /searchmodel/anime')
  // The one search that speaks of its key has it back in no problem either.
  const everything = [server.output.stdout, server.output.stderr, log, traces, ...bodies].join('\n')
  for (const { key, record } of [known, unknown]) {
    expect(everything).not.toContain(key)
    expect(everything).not.toContain(record.hash)
  }
})

const hasRedis = spawnSync('redis-server', ['--version']).error === undefined
if (!hasRedis) console.warn('SKIPPED: there is no redis-server (Debian: apt install redis-server)')

it.skipIf(!hasRedis)('several servers share the count of a key in Redis', async () => {
  const port = await freePort()
  const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''])
  stops.push(() => redis.kill('SIGKILL'))
  await once(redis.stdout, 'data')
  const limited = newKey('limited', { perMinute: 4 })
  const free = newKey('free')
  const words = ['--workers', '1', '--rate-store', `redis://127.0.0.1:${port}`]
  const servers = [
    await openGuarded([limited, free], words),
    await openGuarded([limited, free], words),
  ]
  const [one, two] = servers
  if (one === undefined || two === undefined) throw new Error('unreachable')
  const probe = newKey('probe', { perMinute: 1_000_000 })
  for (const server of servers) {
    // Until its connection is there, a server counts for itself.
    writeKeys(server.folder, [limited, free, probe])
    server.child.kill('SIGHUP')
    await until(async () => (await statusWith(server, probe.key)) === 200)
    await until(async () => {
      await statusWith(server, probe.key)
      const missed = logOf(server).match(/Redis does not respond/g)?.length ?? 0
      return missed === (logOf(server).match(/Redis is back/g)?.length ?? 0)
    })
  }
  const statuses = []
  for (let i = 0; i < 4; i++) {
    for (const server of servers) statuses.push(await statusWith(server, limited.key))
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429])
  expect(await allStatusesWith(one, free.key)).toEqual([200])
  redis.kill('SIGKILL')
  await until(async () => (await statusWith(one, limited.key)) === 200)
})

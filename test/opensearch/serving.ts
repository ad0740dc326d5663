/** Servers on one catalogue, with vectors in files and in the engine: the same answers. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Cluster } from '../../tools/opensearch/nodes.js'
import { startServer, type ServerChild } from '../serve/child.js'
import { importSample } from '../serve/sample.js'
import { synoptic } from './synoptic.js'

interface Place {
  readonly folder: () => string
  readonly cluster: () => Cluster
}

/** A machine may stand still for a while. */
const patienceMs = 120_000

export function describeServing({ folder, cluster }: Place): void {
  describe('a server with its vectors in the engine', () => {
    let here: string
    let there: string
    let embedded: ServerChild
    let remote: ServerChild
    const flags = () => ['--index-url', cluster().urls.join(',')]
    const common = ['--rate-limit', '0', '--workers', '1', '--query-cache', '0']

    beforeAll(async () => {
      here = join(folder(), 'here')
      there = join(folder(), 'there')
      mkdirSync(here)
      await importSample(here)
      cpSync(here, there, { recursive: true })
      const published = await synoptic(['embed', 'publish', ...flags()], here)
      expect(published).toMatchObject({ code: 0, stderr: '' })
      expect(published.stdout).toMatch(/anime: 185 of 185 entries sent in .*searched from now on/)
      removeMatrices(join(there, 'embeddings'))
      embedded = await startServer(here, common)
      remote = await startServer(there, [...common, '--index', 'opensearch', ...flags()])
    })
    afterAll(async () => {
      await embedded.stop('SIGKILL')
      await remote.stop('SIGKILL')
    })

    it('is ready, though it has no matrix', async () => {
      expect(await get(remote, '/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    })

    const description = 'a boy finds a notebook that kills whoever is named in it'
    it.each([
      ['/searchmodel/anime', { model: 'builtin/static-en', description }],
      ['/searchmodel/anime', { model: 'builtin/static-en', description, page: 3 }],
      ['/searchmodel/anime', { model: 'builtin/static-en', description, mode: 'hybrid' }],
      [
        '/searchmodel/manga',
        { model: 'builtin/static-en', description, genres: { any: ['Drama'] } },
      ],
      ['/search/anime', { query: description }],
      ['/search/anime', { query: 'like Mushishi but darker, a short 90s series without romance' }],
      ['/search/manga', { query: 'pirates', yearFrom: 1990, yearTo: 2010 }],
    ])('answers POST %s %j as the other does', async (path, body) => {
      await expectSame(
        () => post(embedded, path, body),
        () => post(remote, path, body),
      )
    })

    it('finds the same similar works', async () => {
      const found = await post(embedded, '/search/anime', { query: description })
      const [{ id } = { id: 0 }] = (found.body as { results: { id: number }[] }).results
      const path = `/similar/anime/${id}?model=builtin/static-en`
      const one = await get(embedded, path)
      expect(one.status).toBe(200)
      expect(await get(remote, path)).toEqual(one)
    })

    it('says what it lacks where another version of the data was published', async () => {
      const words = [...common, '--index', 'opensearch', ...flags(), '--index-prefix', 'nothing']
      const lacking = await startServer(there, words)
      try {
        const { status, body } = await get(lacking, '/readyz')
        expect(status).toBe(503)
        expect(JSON.stringify(body)).toContain('embed publish --dataset anime')
        const refused = await post(lacking, '/searchmodel/anime', {
          model: 'builtin/static-en',
          description,
        })
        expect(refused).toMatchObject({ status: 500, body: { title: 'Index does not match' } })
      } finally {
        await lacking.stop('SIGKILL')
      }
    })

    it('says that the engine cannot be reached', async () => {
      const words = [...common, '--index', 'opensearch', '--index-url', 'http://127.0.0.1:9']
      const lonely = await startServer(there, words)
      try {
        const { status, body } = await get(lonely, '/readyz')
        expect(status).toBe(503)
        expect(JSON.stringify(body)).toContain('the search engine cannot be reached')
        const refused = await post(lonely, '/searchmodel/anime', {
          model: 'builtin/static-en',
          description,
        })
        expect(refused).toMatchObject({ status: 503, body: { title: 'Index unavailable' } })
      } finally {
        await lonely.stop('SIGKILL')
      }
    })

    it('answers 503 while the engine hangs, says so, and comes back with it', async () => {
      const words = [...common, '--index', 'opensearch', ...flags(), '--index-timeout', '2']
      const impatient = await startServer(there, words)
      const search = () =>
        post(impatient, '/searchmodel/anime', { model: 'builtin/static-en', description })
      const [node] = cluster().nodes
      try {
        await until(async () => (await search()).status === 200)
        node?.child.kill('SIGSTOP')
        // It stops a moment after the signal was sent.
        await until(async () => (await search()).status !== 200)
        expect(await search()).toMatchObject({ status: 503, body: { title: 'Index unavailable' } })
        await until(async () => {
          expect((await search()).status).toBe(503)
          const { status, body } = await get(impatient, '/readyz')
          return status === 503 && JSON.stringify(body).includes('is not called for now')
        })
        node?.child.kill('SIGCONT')
        await until(async () => (await get(impatient, '/readyz')).status === 200)
        await until(async () => (await search()).status === 200)
      } finally {
        node?.child.kill('SIGCONT')
        await impatient.stop('SIGKILL')
      }
    })

    it('is compared by `index status`', async () => {
      const good = await synoptic(['index', 'status', ...flags()], here)
      expect(good.code).toBe(0)
      expect(good.stdout).toMatch(
        /anime builtin\/static-en: current, embeddings here: current\n {2}synoptic-anime-builtin-static-en-[0-9a-f]{12}: searched, green, 1 shard, 0 replicas/,
      )
      const other = await synoptic(['index', 'status', ...flags(), '--index-prefix', 'other'], here)
      expect(other.code).toBe(1)
      expect(other.stdout).toContain('anime builtin/static-en: missing')
      expect(other.stdout).toContain('embed publish --dataset anime --model builtin/static-en')
    })

    it('publishes nothing twice, and removes what is old on request', async () => {
      const again = await synoptic(['embed', 'publish', ...flags()], here)
      expect(again.stdout).toMatch(/anime: 0 of 185 entries sent .* was searched before/)
      const moved = await synoptic(['embed', 'publish', '--shards', '2', ...flags()], here)
      expect(moved.stdout).toMatch(
        /185 of 185 entries sent.*\n {2}synoptic-anime-.*: kept; --prune/,
      )
      const pruned = await synoptic(
        ['embed', 'publish', '--shards', '2', '--prune', ...flags()],
        here,
      )
      expect(pruned.stdout).toMatch(/: removed\n/)
    })

    it('goes on with the index that was published after its own was removed', async () => {
      const search = () =>
        post(remote, '/searchmodel/anime', { model: 'builtin/static-en', description })
      await until(async () => (await search()).status === 200)
      const body = { model: 'builtin/static-en', description }
      await expectSame(() => post(embedded, '/searchmodel/anime', body), search)
    })

    it.each([
      [['--shards', '0'], '--shards: expected an integer from 1 to 1024, received 0'],
      [['--replicas', 'x'], '--replicas: expected an integer from 0 to 64, received x'],
      [
        ['--dataset', 'Films'],
        '--dataset: expected anime, manga, or a name of at most 40 small letters, digits and hyphens that begins with a letter, received Films',
      ],
      [['--index-url', 'http://u:p@127.0.0.1:9'], 'addresses without credentials'],
      [['--replicas', '3'], 'expected fewer replicas than the cluster has nodes (1), received 3'],
    ])('`embed publish %j` is refused', async (words, message) => {
      const { code, stderr } = await synoptic(['embed', 'publish', ...flags(), ...words], here)
      expect(code).not.toBe(0)
      expect(stderr).toContain(message)
      expect(stderr).not.toContain('u:p@')
    })
  })
}

function removeMatrices(folder: string): void {
  const files = readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file)))
  const matrices = files.filter((file) => /\.npy(\.q\d)?$/.test(file))
  expect(matrices.length).toBeGreaterThan(0)
  for (const file of matrices) rmSync(file)
  expect(matrices.some((file) => existsSync(file))).toBe(false)
}

type Ask = () => Promise<{ readonly status: number; readonly body: object }>

/**
 * A text that is encoded in one batch with the searches that a server begins with has another last bit now and then:
 * the same of both sooner or later.
 */
async function expectSame(one: Ask, other: Ask): Promise<void> {
  const compare = async () => {
    const [expected, received] = await Promise.all([one(), other()])
    expect(expected.status).toBe(200)
    expect(received).toEqual(expected)
  }
  await vi.waitFor(compare, { timeout: patienceMs, interval: 500 })
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('it did not become so')
    await delay(200)
  }
}

const get = async ({ origin }: ServerChild, path: string) => answerOf(await fetch(origin + path))

const post = async ({ origin }: ServerChild, path: string, body: object) =>
  answerOf(
    await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

async function answerOf(response: Response) {
  return { status: response.status, body: untimed(await response.json()) as object }
}

/** Without what took how long. */
function untimed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(untimed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !/(?:Ms|_ms|requestId)$/.test(name))
  return Object.fromEntries(members.map(([name, own]) => [name, untimed(own)]))
}

/** Searches by the engine's graph: candidates may be missing, but nothing else is approximate. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type {
  SearchOptions,
  SearchResult,
  VectorIndex,
} from '#synoptic/native/addon/vector-index.js'
import { findIndex } from '#synoptic/search/opensearch/find-index.js'
import { measureRecall } from '#synoptic/search/opensearch/recall.js'
import { openRemoteIndex } from '#synoptic/search/opensearch/remote-index.js'
import type { Answer } from '#synoptic/search/opensearch/searches.js'
import { maskOf, passes } from '#synoptic/base/util/row-mask.js'
import { randomValues } from '../native/npy.js'
import { startServer } from '../serve/child.js'
import { importSample } from '../serve/sample.js'
import { openShelf, revision, type Shelf } from './shelf.js'
import { synoptic } from './synoptic.js'

interface Place {
  readonly folder: () => string
  readonly urls: () => readonly string[]
}

const [rows, dimension, k] = [4000, 32, 10]
const timeoutMs = 60_000

export function describeGraph({ folder, urls }: Place): void {
  describe('searches by the graph', () => {
    let shelf: Shelf
    let near: VectorIndex
    let calls: string[] = []
    let refusal: unknown

    const query = (seed: number) => randomValues(dimension, seed)
    const even = maskOf(
      rows,
      Array.from({ length: rows / 2 }, (_, i) => i * 2),
    )

    const find = (candidates: number | undefined) =>
      findIndex(shelf.engine, {
        prefix: 'graph',
        dataset: shelf.dataset,
        model: 'tests/random',
        revision,
        candidates,
      })

    /** @param change what becomes of the hits of a walk */
    async function open(
      candidates: number | undefined,
      change: (answer: Answer) => Answer = (answer) => answer,
    ): Promise<VectorIndex> {
      const { engine } = shelf
      const watched = {
        ...engine,
        async call<Body>(call: Parameters<typeof engine.call>[0]): Promise<Body | undefined> {
          const body = JSON.stringify(call.body ?? {})
          const kind = body.includes('"knn"') && !body.includes('knn_score') ? 'walk' : 'other'
          calls.push(body.includes('knn_score') ? 'scan' : kind)
          const answer = await engine.call<Body>(call)
          return kind === 'walk' ? (change(answer as Answer) as Body) : answer
        },
      }
      const found = await find(candidates)
      return openRemoteIndex({ engine: watched, found, timeoutMs, candidates })
    }

    /** Exact scores of all rows, by row and column. */
    async function allScores(vector: Float32Array, options: SearchOptions) {
      const all = await shelf.local.search(vector, 1, rows * 2, { ...options, distinct: false })
      const hits = hitsOf(all, rows * 2)
      return new Map(hits.map((hit) => [`${hit.row} ${hit.column}`, hit.score]))
    }

    /** As many as there are, in order, each with its own score; returns how many of the first are right. */
    async function expectSound(vector: Float32Array, depth: number, options: SearchOptions = {}) {
      const [right, found] = await Promise.all([
        shelf.local.search(vector, 1, depth, options),
        near.search(vector, 1, depth, options),
      ])
      const hits = hitsOf(found, depth)
      expect(hits.length).toBe(right.counts[0])
      const scores = await allScores(vector, options)
      for (const { row, column, score } of hits) {
        expect(score).toBe(scores.get(`${row} ${column}`))
        if (options.mask) expect(passes(options.mask, row)).toBe(true)
      }
      const inOrder = hits.toSorted(
        (one, other) => other.score - one.score || one.row - other.row || one.column - other.column,
      )
      expect(hits).toEqual(inOrder)
      if (options.distinct !== false)
        expect(new Set(hits.map(({ row }) => row)).size).toBe(hits.length)
      const wanted = new Set(hitsOf(right, depth).map(({ row, column }) => `${row} ${column}`))
      const shared = hits.filter(({ row, column }) => wanted.has(`${row} ${column}`))
      return shared.length / wanted.size
    }

    beforeAll(async () => {
      const matrices = [1, 2].map((seed) => randomValues(rows * dimension, seed))
      for (const row of [7, 8, 9]) {
        for (const matrix of matrices) matrix.fill(0, row * dimension, (row + 1) * dimension)
      }
      shelf = await openShelf({
        folder: folder(),
        urls: urls(),
        prefix: 'graph',
        rows,
        dimension,
        matrices,
      })
      await shelf.publish()
      refusal = await find(200).catch((error: unknown) => error)
      const spread = { shards: 2, replicas: 0 }
      const published = await shelf.publish({ hasGraph: true, spread })
      expect(published).toMatchObject({ sent: rows, isNew: true })
      near = await open(200)
      calls = []
    })

    it('are refused where the index has no graph, with the command that makes one', () => {
      expect(refusal).toMatchObject({
        name: 'IndexMismatchError',
        remedy:
          'synoptic embed publish --dataset anime --model tests/random --index-candidates 200',
        cause: { message: expect.stringContaining('it has no graph') as string },
      })
    })

    it('have exact scores, in order, as many as were requested', async () => {
      let share = 0
      for (let seed = 0; seed < 100; seed += 1) share += await expectSound(query(100 + seed), k)
      // Of vectors without any structure, which no graph likes.
      expect(share / 100).toBeGreaterThan(0.5)
      expect(calls).toContain('walk')
      expect(calls).not.toContain('scan')
    })

    it('keep to masks and columns', async () => {
      for (const options of [
        { mask: even },
        { columns: [1] },
        { mask: even, columns: [0] },
        { mask: even, columns: [1], distinct: false },
        { distinct: false },
      ]) {
        calls = []
        let share = 0
        for (let seed = 0; seed < 20; seed += 1) {
          share += await expectSound(query(300 + seed), k, options)
        }
        expect(share / 20).toBeGreaterThan(0.5)
        expect(calls).toContain('walk')
        expect(calls).not.toContain('scan')
      }
    })

    it('are exact where no more rows pass than candidates are wanted', async () => {
      const few = maskOf(
        rows,
        Array.from({ length: 150 }, (_, i) => i * 3),
      )
      expect(await expectSound(query(400), k, { mask: few })).toBe(1)
      expect(await expectSound(query(401), rows)).toBe(1)
    })

    it('go deeper than the candidates where more results are wanted', async () => {
      calls = []
      expect(await expectSound(query(402), 700)).toBeGreaterThan(0.5)
      expect(calls).toContain('walk')
    })

    it('read all vectors where the graph brings too few', async () => {
      const poor = await open(200, (answer) => ({
        ...answer,
        hits: { hits: answer.hits.hits.slice(0, k - 1) },
      }))
      calls = []
      const found = await poor.search(query(403), 1, k)
      expect(calls).toContain('scan')
      expect(found).toEqual(await shelf.local.search(query(403), 1, k))
    })

    it('need not be made: the same index is searched exactly', async () => {
      const exact = await open(undefined)
      for (let seed = 500; seed < 520; seed += 1) {
        expect(await exact.search(query(seed), 1, k, { mask: even })).toEqual(
          await shelf.local.search(query(seed), 1, k, { mask: even }),
        )
      }
    })

    it('are compared with the scan', async () => {
      const queries = Array.from({ length: 30 }, (_, i) => query(600 + i))
      let searched = 0
      const [exact, few, many] = await measureRecall({
        open,
        queries,
        candidates: [10, 1500],
        depths: [k, 100],
        signal: new AbortController().signal,
        onSearched: () => (searched += 1),
      })
      expect(searched).toBe(180)
      expect(exact?.depths.map(({ recall, whole }) => [recall, whole])).toEqual([
        [1, 1],
        [1, 1],
      ])
      const [least = NaN, most = NaN] = [few, many].map((kind) => kind?.depths[0]?.recall)
      expect(least).toBeGreaterThan(0.2)
      expect(most).toBeGreaterThan(least)
    })

    it('name the command that makes an index with a graph, once theirs was removed', async () => {
      const { name } = await find(200)
      await shelf.engine.call({ method: 'DELETE', path: `/${name}` })
      await expect(near.search(query(1), 1, k)).rejects.toMatchObject({
        name: 'IndexMismatchError',
        remedy:
          'synoptic embed publish --dataset anime --model tests/random --index-candidates 200',
      })
    })
  })

  describe('commands and servers with --index-candidates', () => {
    let home: string
    const flags = () => ['--index-url', urls().join(','), '--index-prefix', 'walks']
    const wanted = ['--index-candidates', '20']
    const description = 'a boy finds a notebook that kills whoever is named in it'

    beforeAll(async () => {
      home = join(folder(), 'walks')
      mkdirSync(home)
      await importSample(home)
      const published = await synoptic(['embed', 'publish', ...flags(), ...wanted], home)
      expect(published).toMatchObject({ code: 0, stderr: '' })
    })

    it('searches, and says at the start that it may miss some', async () => {
      const words = ['--rate-limit', '0', '--workers', '1', '--index', 'opensearch']
      const server = await startServer(home, [...words, ...flags(), ...wanted])
      try {
        const response = await fetch(`${server.origin}/searchmodel/anime`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'builtin/static-en', description }),
        })
        expect(response.status).toBe(200)
        const { results } = (await response.json()) as { results: object[] }
        expect(results.length).toBeGreaterThan(0)
        const said = server.output.stdout + server.output.stderr
        expect(said).toContain('searched by a graph, so some works may be missed')
      } finally {
        await server.stop('SIGKILL')
      }
    })

    it('are listed by `index status` with their graphs', async () => {
      const good = await synoptic(['index', 'status', ...flags(), ...wanted], home)
      expect(good).toMatchObject({ code: 0 })
      expect(good.stdout).toMatch(/searched, green, .* MB, with a graph\n/)
    })

    it('are measured by `index recall`: what a graph misses', async () => {
      const file = join(home, 'queries.jsonl')
      writeFileSync(file, `{"query":"pirates"}\n{"description":"${description}"}\n`)
      const words = ['--dataset', 'anime', '--candidates', '10,40', '--queries', file]
      const { code, stdout, stderr } = await synoptic(
        ['index', 'recall', ...words, ...flags()],
        home,
      )
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^anime builtin\/static-en, 2 queries\n/)
      expect(stdout).toMatch(/\n {2}exact +1\.0000 +100 % +[\d.]+ +1\.0000 +100 % +[\d.]+\n/)
      expect(stdout).toMatch(/\n {2}40 +[01]\.\d{4} +\d+ % /)
      const own = await synoptic(
        ['index', 'recall', '--dataset', 'manga', '--candidates', '40', ...flags()],
        home,
      )
      expect(own).toMatchObject({ code: 0 })
      expect(own.stdout).toMatch(/^manga builtin\/static-en, \d+ openings of texts\n/)
    })

    it.each([
      [
        ['index', 'recall', '--candidates', '5'],
        '--candidates: expected integers from 10 to 10000, received 5',
      ],
      [
        ['index', 'recall', '--dataset', 'Films'],
        'expected anime, manga, or a name of at most 40 small letters, digits and hyphens that begins with a letter, received Films',
      ],
      [['index', 'recall', '--queries', 'nowhere.jsonl'], 'nowhere.jsonl'],
      [
        ['embed', 'publish', '--index-candidates', 'many'],
        'expected exact, or an integer from 10 to 10000',
      ],
    ])('`%j` is refused', async (words, message) => {
      const { code, stderr } = await synoptic([...words, ...flags()], home)
      expect(code).not.toBe(0)
      expect(stderr).toContain(message)
    })

    it('`index recall` needs a graph', async () => {
      const words = ['index', 'recall', '--index-url', urls().join(','), '--index-prefix', 'none']
      const { code, stderr } = await synoptic(words, home)
      expect(code).not.toBe(0)
      expect(stderr).toContain('embed publish --dataset anime')
    })
  })
}

function hitsOf({ rows: found, columns, scores, counts }: SearchResult, depth: number) {
  expect(counts.length).toBe(1)
  return Array.from({ length: Math.min(depth, counts[0] ?? 0) }, (_, i) => ({
    row: found[i] ?? NaN,
    column: columns[i] ?? NaN,
    score: scores[i] ?? NaN,
  }))
}

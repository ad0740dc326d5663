/** Searches of the engine and of the embedded index: the same rows, columns and score bits. */
import { beforeAll, describe, expect, it } from 'vitest'
import type {
  SearchOptions,
  SearchResult,
  VectorIndex,
} from '#synoptic/native/addon/vector-index.js'
import { rowsPass, type Answer } from '#synoptic/search/opensearch/searches.js'
import { maskOf } from '#synoptic/base/util/row-mask.js'
import { adversarialValues, randomSource, randomValues } from '../native/npy.js'
import { openShelf, type Shelf } from './shelf.js'

interface Place {
  readonly folder: () => string
  readonly urls: () => readonly string[]
}

export function describeEquality({ folder, urls }: Place): void {
  describe('searches of the engine', () => {
    const [rows, dimension] = [3000, 48]
    let shelf: Shelf
    let remote: VectorIndex

    beforeAll(async () => {
      const first = randomValues(rows * dimension, 1)
      // Texts that many entries share: hundreds of rows score the same.
      for (let row = 0; row < 400; row += 1) {
        first.copyWithin((2000 + row) * dimension, 0, dimension)
      }
      const matrices = [
        first,
        adversarialValues(rows, dimension, 2),
        adversarialValues(rows, dimension, 3),
      ]
      for (let row = 100; row < 120; row += 1) {
        for (const matrix of matrices) matrix.fill(0, row * dimension, (row + 1) * dimension)
      }
      shelf = await openShelf({
        folder: folder(),
        urls: urls(),
        prefix: 'equality',
        rows,
        dimension,
        matrices,
      })
      await shelf.publish({ spread: { shards: 3, replicas: 0 } })
      remote = await shelf.open()
    })

    const queries = (count: number, seed: number) => randomValues(count * dimension, seed)

    async function expectSame(
      query: Float32Array,
      count: number,
      k: number,
      options?: SearchOptions,
    ): Promise<SearchResult> {
      const [here, there] = await Promise.all([
        shelf.local.search(query, count, k, options),
        remote.search(query, count, k, options),
      ])
      expect(hitsOf(there, count, k)).toEqual(hitsOf(here, count, k))
      return there
    }

    it('find the same as the embedded index for 1,000 queries', async () => {
      const random = randomSource(7)
      for (let batch = 0; batch < 50; batch += 1) {
        const k = 1 + Math.floor(random() * 40)
        await expectSame(queries(20, 100 + batch), 20, k)
      }
    })

    it('find the same with masks of few, many and all rows', async () => {
      const random = randomSource(8)
      for (const share of [0, 0.002, 0.03, 0.5, 0.97, 1]) {
        const passing = Array.from({ length: rows }, (_, row) => row).filter(() => random() < share)
        for (const k of [1, 10, 200]) {
          await expectSame(queries(3, k), 3, k, { mask: maskOf(rows, passing) })
        }
      }
    })

    it('find the same in some of the columns, and as pairs of row and column', async () => {
      const mask = maskOf(
        rows,
        Array.from({ length: 1500 }, (_, i) => i * 2),
      )
      for (const columns of [[0], [1], [2], [0, 2], [2, 1]]) {
        for (const distinct of [true, false]) {
          await expectSame(queries(3, 9), 3, 25, { columns, distinct })
          await expectSame(queries(3, 10), 3, 25, { columns, distinct, mask })
        }
      }
    })

    it('ask for more where hundreds of rows score the same', async () => {
      const query = randomValues(rows * dimension, 1).subarray(0, dimension)
      const { rows: found } = await expectSame(query, 1, 10)
      expect([...found.slice(0, 10)]).toEqual([0, ...Array.from({ length: 9 }, (_, i) => 2000 + i)])
    })

    it('find the same as deep as there are rows', async () => {
      for (const k of [500, 2500, rows, rows + 10]) await expectSame(queries(1, k), 1, k)
    })

    it('find the same whatever the scale of the query', async () => {
      for (const scale of [1e-30, 1e-3, 1e30]) {
        await expectSame(
          queries(2, 5).map((value) => value * scale),
          2,
          10,
        )
      }
    })

    it('know the same valid rows, vectors and numbers', async () => {
      expect(remote.validRows()).toEqual(shelf.local.validRows())
      for (const row of [0, 5, 100, 2999]) {
        expect(await remote.vectors(row)).toEqual(await shelf.local.vectors(row))
      }
      const { validRows, validVectors } = shelf.local.stats()
      expect(remote.stats()).toMatchObject({ validRows, validVectors, mappedBytes: 0 })
    })

    it.each([
      ['a query of zeros', () => remote.search(new Float32Array(dimension), 1, 5)],
      ['a query with NaN', () => remote.search(new Float32Array(dimension).fill(NaN), 1, 5)],
      ['a query of another dimension', () => remote.search(new Float32Array(7), 1, 5)],
      [
        'a mask of another size',
        () => remote.search(queries(1, 1), 1, 5, { mask: new Uint8Array(3) }),
      ],
      ['a column that is not there', () => remote.search(queries(1, 1), 1, 5, { columns: [3] })],
      ['a row that is not there', () => remote.vectors(rows)],
    ])('refuse %s', async (_, action) => {
      await expect(action()).rejects.toThrow(/expected/)
    })

    it('pass the rows of masks of any size', async () => {
      const { engine } = shelf
      const many = 200_000
      const edges = [0, 1, 4095, 65_535, 65_536, 70_000, 131_071, 131_072, 150_000, many - 1]
      await engine.call({
        method: 'PUT',
        path: '/edges',
        body: { mappings: { properties: { row: { type: 'integer' } } } },
      })
      const lines = edges.map((row) => `{"index":{"_id":"${row}"}}\n{"row":${row}}\n`).join('')
      await engine.call({ method: 'POST', path: '/edges/_bulk', query: { refresh: true }, lines })
      const passed = async (mask: Uint8Array) => {
        const body = { size: 100, sort: [{ row: 'asc' }], query: rowsPass(mask) }
        const answer = await engine.call<Answer>({ method: 'POST', path: '/edges/_search', body })
        return answer?.hits.hits.map(({ _id }) => Number(_id))
      }
      const all = Array.from({ length: many }, (_, row) => row)
      // Short lists, plain bitmaps, groups without a row, and a list that is just as long as a bitmap.
      const kinds: ((row: number) => boolean)[] = [
        (row) => edges.includes(row),
        (row) => edges.includes(row) && row >= 65_536 && row < 131_072,
        (row) => row !== 65_536,
        (row) => row % 2 === 1,
        (row) => row % 65_536 < 4096,
        (row) => row % 65_536 < 4097,
        () => false,
      ]
      for (const isIn of kinds) {
        expect(await passed(maskOf(many, all.filter(isIn)))).toEqual(edges.filter(isIn))
      }
    })

    it('end when their caller leaves', async () => {
      const leaving = new AbortController()
      const searching = remote.search(queries(1, 1), 1, 5, { signal: leaving.signal })
      leaving.abort(new Error('gone'))
      await expect(searching).rejects.toThrow('gone')
    })
  })
}

/** Scores as bits. */
function hitsOf({ rows, columns, scores, counts }: SearchResult, count: number, k: number) {
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, scores.length)
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: counts[i] ?? 0 }, (_, j) => {
      const at = i * k + j
      return [rows[at], columns[at], bits[at]]
    }),
  )
}

/**
 * A VectorIndex on an engine. The engine picks candidates, with a proof that none is missing; their vectors come back
 * as they were published, and the native core scores them: rows, columns and scores are those of the embedded index,
 * bit for bit. Where candidates come from a graph, some works may be missing; scores and order stay exact.
 */
import { IndexMismatchError, NativeError } from '../../base/errors/index.js'
import {
  checkMask,
  checkRow,
  checkShape,
  columnNumbers,
} from '../../native/addon/search-arguments.js'
import type { SearchOptions, SearchResult, VectorIndex } from '../../native/addon/vector-index.js'
import { countRows, maskOf, passes, rowsOf, type RowMask } from '../../base/util/row-mask.js'
import { findCandidates, reachFor } from './candidates.js'
import type { Engine } from './engine.js'
import { exactHits, type Hit } from './exact-hits.js'
import type { FoundIndex } from './find-index.js'
import { normalized } from './score-bound.js'
import { nearestInGraph, nearestRows, searchIndex } from './searches.js'
import { createStoredRows } from './stored-rows.js'

export interface RemoteIndexOptions {
  readonly engine: Engine
  readonly found: FoundIndex
  readonly timeoutMs: number
  /** Of a walk through the graph of each shard, which may miss some; undefined: all vectors are read. */
  readonly candidates?: number | undefined
}

/** Up to so many rows their vectors come with the candidates; more are fetched only where they are needed. */
const rowsWithVectors = 64
/** Of vectors that were fetched, for each index. */
const keptBytes = 64 * 2 ** 20
const storedFields = ['has', 'vectors']

/** Reads which rows have no vector. Rejects with an IndexUnavailableError. */
export async function openRemoteIndex(options: RemoteIndexOptions): Promise<VectorIndex> {
  const { engine, found, timeoutMs, candidates } = options
  const { meta } = found
  const { rows, dimension, columns } = meta
  let pairsScored = 0

  const search = (body: object, signal: AbortSignal | undefined) =>
    searchIndex(engine, found, { body, timeoutMs, candidates, signal })

  const stored = createStoredRows({
    dimension,
    limitBytes: keptBytes,
    fetch: (part, signal) =>
      search({ size: part.length, query: { terms: { row: part } }, _source: storedFields }, signal),
  })

  const valid = await readValidRows(options, (body) => search(body, undefined))

  /** @param mask rows with a valid vector that may be found */
  async function rowsToScore(
    query: Float32Array,
    k: number,
    mask: RowMask | undefined,
    { columns: some, signal }: SearchOptions,
  ): Promise<readonly number[]> {
    const passing = mask === undefined ? meta.validRows : countRows(mask)
    // All of them are in the result, so there is nothing to choose.
    if (passing <= k) return [...rowsOf(mask ?? valid)]
    const vector = normalized(query)
    if (vector === undefined) return []
    const filters = { mask, columns: some }
    const ask = async (body: object, size: number) => {
      const withVectors = size <= rowsWithVectors
      const answer = await search({ ...body, _source: withVectors && storedFields }, signal)
      if (withVectors) stored.keep(answer)
      return answer
    }
    const reach = candidates === undefined ? passing : reachFor(k, candidates)
    if (reach >= k && reach < passing) {
      const walk = (size: number) => ask(nearestInGraph(vector, size, reach, filters), size)
      const { rows: near } = await findCandidates(walk, k, { dimension, most: reach })
      // A graph may have parts that no walk comes to; a short result is incomplete then.
      if (near.length >= k) return near
    }
    const scan = (size: number) => ask(nearestRows(vector, size, filters), size)
    return (await findCandidates(scan, k, { dimension, most: passing })).rows
  }

  async function searchOne(query: Float32Array, k: number, options: SearchOptions) {
    const { mask, columns: some, distinct = true, signal } = options
    const common = mask && both(mask, valid)
    const scored = await rowsToScore(query, k, common, options)
    const vectors = await stored.of(scored, signal)
    pairsScored += vectors.reduce((sum, { columns }) => sum + columns.length, 0)
    const wanted = some === undefined ? undefined : new Set(some)
    return exactHits(query, k, scored, vectors, { columns: wanted, distinct })
  }

  return {
    rows,
    dimension,
    columns,
    concurrent: true,
    async search(queries, count, k, options = {}) {
      checkShape(queries, count, k, dimension)
      checkMask(options.mask, rows)
      if (options.columns !== undefined) columnNumbers(options.columns, columns.length)
      options.signal?.throwIfAborted()
      const each = Array.from({ length: count }, (_, i) => {
        const query = queries.subarray(i * dimension, (i + 1) * dimension)
        if (normalized(query) === undefined) throw badQuery(i)
        return query
      })
      if (k === 0)
        return resultOf(
          each.map(() => []),
          0,
        )
      const lists = await Promise.all(each.map((query) => searchOne(query, k, options)))
      return resultOf(lists, k)
    },
    validRows: () => valid.slice(),
    async vectors(row) {
      checkRow(row, rows)
      const all = new Float32Array(columns.length * dimension)
      if (!passes(valid, row)) return all
      const [{ columns: has, vectors } = { columns: [], vectors: new Float32Array(0) }] =
        await stored.of([row], undefined)
      has.forEach((column, i) => {
        all.set(vectors.subarray(i * dimension, (i + 1) * dimension), column * dimension)
      })
      return all
    },
    stats: () => {
      const { validRows, validVectors } = meta
      return { validRows, validVectors, mappedBytes: 0, pairsScored }
    },
    // The engine's connections belong to who opened them.
    close: () => undefined,
  }
}

/** Most indices have few rows without a vector, so those are read. */
async function readValidRows(
  { found: { name, meta }, candidates }: RemoteIndexOptions,
  search: (body: object) => ReturnType<typeof searchIndex>,
): Promise<RowMask> {
  const invalid: number[] = []
  const pageSize = 10_000
  const query = { bool: { must_not: [{ exists: { field: 'has' } }] } }
  for (let after = -1; invalid.length < meta.rows - meta.validRows;) {
    const body = { size: pageSize, query, sort: [{ row: 'asc' }], search_after: [after] }
    const { hits } = (await search({ ...body, _source: false })).hits
    if (hits.length === 0) break
    invalid.push(...hits.map(({ _id }) => Number(_id)))
    after = invalid.at(-1) ?? after
  }
  if (invalid.length !== meta.rows - meta.validRows) {
    const what = `${name}: expected ${meta.rows - meta.validRows} rows without a vector, found ${invalid.length}`
    throw new IndexMismatchError(meta.dataset, meta.model, { cause: new Error(what), candidates })
  }
  const none = maskOf(meta.rows, invalid)
  const all = maskOf(meta.rows, Array(meta.rows).keys())
  return all.map((byte, i) => byte & ~(none[i] ?? 0))
}

const both = (mask: RowMask, valid: RowMask): RowMask =>
  mask.map((byte, i) => byte & (valid[i] ?? 0))

function badQuery(i: number): NativeError {
  const expected = 'expected finite values that are not all zero, received another vector'
  return new NativeError('EQUERY', `query ${i}: ${expected}`)
}

function resultOf(lists: readonly (readonly Hit[])[], k: number): SearchResult {
  const size = lists.length * k
  const result = {
    rows: new Uint32Array(size),
    columns: new Uint16Array(size),
    scores: new Float32Array(size),
    counts: Uint32Array.from(lists, ({ length }) => length),
  }
  lists.forEach((hits, i) => {
    hits.forEach(({ row, column, score }, j) => {
      result.rows[i * k + j] = row
      result.columns[i * k + j] = column
      result.scores[i * k + j] = score
    })
  })
  return result
}

/**
 * Entries similar to an entry, by its stored vectors: nothing is encoded. Every text of one entry is
 * compared with every text of the other, and the best pair counts.
 */
import type { Catalogue, DatasetInfo, DatasetName } from '../catalogue/catalogue.js'
import { bothMasks, countRows, passes, withoutRows, type RowMask } from '../util/row-mask.js'
import type { EntryFilter } from '../catalogue/filter.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { NotFoundError } from '../errors/not-found-error.js'
import { toMicroseconds } from '../util/microseconds.js'
import { sliceOf, type Pagination } from './pagination.js'
import type { Collection, CollectionStore } from '../index/store.js'
import type { SearchResult } from '../native/vector-index.js'

export interface NeighbourQuery {
  readonly dataset: DatasetName
  readonly id: number
  /** Exact name of an allowed model, whose vectors are compared. */
  readonly model: string
  readonly page: number
  readonly resultsPerPage: number
  /** Restricts the entries that are found, not the one that they are compared with; all if absent. */
  readonly filter?: EntryFilter
}

export interface NeighbourAnswer {
  readonly dataset: DatasetInfo
  readonly results: readonly {
    readonly rank: number
    /** Cosine of the nearest pair of texts. */
    readonly similarity: number
    readonly row: number
    /** Position in the dataset's columns of the entry's text in that pair. */
    readonly column: number
  }[]
  readonly pagination: Pagination
  readonly meta: { readonly model: string; readonly dataset: DatasetName; readonly id: number }
  /** Milliseconds; no part of the body. */
  readonly timings: { readonly scanMs: number; readonly totalMs: number }
}

/** Rejects with a NotFoundError if the dataset has no such entry. */
export type FindNeighbours = (
  query: NeighbourQuery,
  signal?: AbortSignal,
) => Promise<NeighbourAnswer>

export function createFindNeighbours(
  catalogue: Pick<Catalogue, 'dataset' | 'mask' | 'rowOfId'>,
  collections: CollectionStore,
): FindNeighbours {
  return async ({ dataset: name, id, model, page, resultsPerPage, filter = {} }, signal) => {
    const begunMs = performance.now()
    const dataset = catalogue.dataset(name)
    if (dataset === undefined) throw new DatasetMissingError(name)
    const row = catalogue.rowOfId(name, id)
    if (row === undefined)
      throw new NotFoundError(`The ${name} dataset has no entry with the id ${id}.`)
    const mask = withoutRows(catalogue.mask(name, filter), dataset.rows, [row])
    return collections.use(dataset, model, async (collection) => {
      // An entry without a vector has no neighbours.
      const hasVector = passes(collection.valid, row)
      const total = hasVector ? countRows(bothMasks(mask, collection.valid)) : 0
      const { pagination, begin, end } = sliceOf(page, resultsPerPage, total)
      const scanBegunMs = performance.now()
      const nearest =
        begin < end ? await findNearest(collection, row, { count: end, mask, signal }) : []
      const scannedMs = performance.now()
      const results = nearest.slice(begin, end).map(({ row, column, score }, position) => ({
        rank: begin + position + 1,
        similarity: score,
        row,
        column: collection.columns[column] ?? 0,
      }))
      const timings = {
        scanMs: toMicroseconds(scannedMs - scanBegunMs),
        totalMs: toMicroseconds(performance.now() - begunMs),
      }
      return { dataset, results, pagination, meta: { model, dataset: name, id }, timings }
    })
  }
}

interface Neighbour {
  readonly row: number
  /** Of the index. */
  readonly column: number
  readonly score: number
}

interface Wanted {
  readonly count: number
  readonly mask: RowMask
  readonly signal: AbortSignal | undefined
}

/** The first `count` by score, then by row. */
async function findNearest(
  { index }: Collection,
  row: number,
  { count, mask, signal }: Wanted,
): Promise<Neighbour[]> {
  const queries = nonZeroVectors(await index.vectors(row), index.dimension)
  const queryCount = queries.length / index.dimension
  // An entry among the first by its best pair is also among the first of that vector's own hits.
  const matches = await index.search(queries, queryCount, count, { mask, signal })
  const best = new Map<number, Neighbour>()
  for (const hit of hitsOf(matches, queryCount, count)) {
    const current = best.get(hit.row)
    if (current === undefined || isBefore(hit, current)) best.set(hit.row, hit)
  }
  return [...best.values()].sort((one, other) => other.score - one.score || one.row - other.row)
}

const isBefore = (one: Neighbour, other: Neighbour) =>
  one.score > other.score || (one.score === other.score && one.column < other.column)

function* hitsOf(matches: SearchResult, queryCount: number, k: number): Generator<Neighbour> {
  for (let query = 0; query < queryCount; query += 1) {
    for (let hit = query * k; hit < query * k + (matches.counts[query] ?? 0); hit += 1) {
      const [row = 0, column = 0, score = 0] = [
        matches.rows[hit],
        matches.columns[hit],
        matches.scores[hit],
      ]
      yield { row, column, score }
    }
  }
}

/** The vectors of texts that exist; those of absent texts are zero. */
function nonZeroVectors(vectors: Float32Array, dimension: number): Float32Array {
  const columns = Array.from({ length: vectors.length / dimension }, (_, column) =>
    vectors.subarray(column * dimension, (column + 1) * dimension),
  )
  const current = columns.filter((vector) => vector.some((value) => value !== 0))
  const queries = new Float32Array(current.length * dimension)
  current.forEach((vector, position) => queries.set(vector, position * dimension))
  return queries
}

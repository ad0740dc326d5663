/** Searches of one index: the request, and an answer that is complete or an error. */
import { IndexMismatchError } from '../../base/errors/index.js'
import type { Engine } from './engine.js'
import { EngineFault, unavailable } from './engine-faults.js'
import type { FoundIndex } from './find-index.js'
import { rowBitmap } from './row-bitmap.js'
import type { RowMask } from '../../base/util/row-mask.js'

export interface Answer {
  readonly timed_out: boolean
  readonly _shards: { readonly total: number; readonly successful: number; readonly failed: number }
  readonly hits: {
    readonly hits: readonly {
      readonly _id: string
      readonly _score: number | null
      readonly _source?: StoredRow
    }[]
  }
  readonly aggregations?: Readonly<Record<string, unknown>>
}

/** The requested part of a document's source. */
export interface StoredRow {
  readonly has: readonly number[]
  readonly vectors: string
}

/** A search that takes longer is given up by the engine, too. */
const spareMs = 500

interface IndexSearch {
  readonly body: object
  readonly timeoutMs: number
  /** Of `--index-candidates`, for the command that publishes the index again. */
  readonly candidates: number | undefined
  readonly signal?: AbortSignal | undefined
}

export async function searchIndex(
  engine: Engine,
  { name, meta }: FoundIndex,
  { body, timeoutMs, candidates, signal }: IndexSearch,
): Promise<Answer> {
  const answer = await engine.call<Answer>({
    method: 'POST',
    path: `/${name}/_search`,
    query: {
      allow_partial_search_results: false,
      cancel_after_time_interval: `${timeoutMs + spareMs}ms`,
    },
    body: { track_total_hits: false, ...body },
    signal,
  })
  if (answer === undefined) {
    // Pruned after its successor was published.
    const cause = new Error(`${name} is not there any more`)
    throw new IndexMismatchError(meta.dataset, meta.model, { cause, candidates })
  }
  if (!isWhole(answer)) throw unavailable(new EngineFault('answer', 'expected shards and hits'))
  const { total, successful } = answer._shards
  if (answer.timed_out || successful !== total) {
    const what = `${successful} of ${total} shards answered`
    throw unavailable(new EngineFault('incomplete', what))
  }
  return answer
}

/** What other servers answer is JSON, too. */
const isWhole = ({ _shards: shards, hits }: Partial<Answer>): boolean =>
  typeof shards?.total === 'number' && Array.isArray(hits?.hits)

interface Filters {
  readonly mask?: RowMask | undefined
  readonly columns?: readonly number[] | undefined
}

/** Rows by the best of their columns, the best first. @param vector of length one */
export function nearestRows(
  vector: Float32Array,
  size: number,
  { mask, columns }: Filters,
): object {
  const query =
    columns === undefined ? { match_all: {} } : { bool: { filter: [ofColumns(columns)] } }
  const script = {
    source: 'knn_score',
    lang: 'knn',
    params: {
      field: 'columns.vector',
      query_value: Array.from(vector),
      space_type: 'innerproduct',
    },
  }
  const nested = bestColumn({ script_score: { query, script } })
  const filter = mask === undefined ? [] : [rowsPass(mask)]
  return { size, query: { bool: { must: [nested], filter } } }
}

/**
 * The same, of those rows alone that a walk through the graph of each shard ends with.
 * @param candidates of each shard, 10,000 at most
 */
export function nearestInGraph(
  vector: Float32Array,
  size: number,
  candidates: number,
  { mask, columns }: Filters,
): object {
  const filter = [
    ...(mask === undefined ? [] : [rowsPass(mask, 'columns.row')]),
    ...(columns === undefined ? [] : [ofColumns(columns)]),
  ]
  const walk = {
    vector: Array.from(vector),
    k: candidates,
    // A row's score is that of its best column, not of the one by which the walk has come to it.
    expand_nested_docs: true,
    ...(filter.length > 0 && { filter: { bool: { filter } } }),
  }
  return { size, query: bestColumn({ knn: { 'columns.vector': walk } }) }
}

const bestColumn = (query: object) => ({ nested: { path: 'columns', score_mode: 'max', query } })

const ofColumns = (columns: readonly number[]) => ({ terms: { 'columns.column': columns } })

export const rowsPass = (mask: RowMask, field = 'row'): object => ({
  terms: { [field]: [rowBitmap(mask)], value_type: 'bitmap' },
})

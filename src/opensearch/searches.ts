/** Searches of one index: what is asked, and an answer that is whole or an error. */
import { IndexMismatchError } from '../errors/index-mismatch-error.js'
import type { Engine } from './engine.js'
import { EngineFault, unavailable } from './engine-faults.js'
import type { FoundIndex } from './find-index.js'
import { rowBitmap } from './row-bitmap.js'
import type { RowMask } from '../util/row-mask.js'

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

/** Of a document's source, what is asked for. */
export interface StoredRow {
  readonly has: readonly number[]
  readonly vectors: string
}

/** A search that takes longer is given up by the engine, too. */
const spareMs = 500

export async function searchIndex(
  engine: Engine,
  { name, meta }: FoundIndex,
  {
    body,
    timeoutMs,
    signal,
  }: { body: object; timeoutMs: number; signal?: AbortSignal | undefined },
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
    throw new IndexMismatchError(meta.dataset, meta.model, { cause })
  }
  const { total, successful } = answer._shards
  if (answer.timed_out || successful !== total) {
    const what = `${successful} of ${total} shards answered`
    throw unavailable(new EngineFault('incomplete', what))
  }
  return answer
}

/** Rows by the best of their columns, the best first. @param vector of length one */
export function nearestRows(
  vector: Float32Array,
  size: number,
  { mask, columns }: { mask?: RowMask | undefined; columns?: readonly number[] | undefined },
): object {
  const some = columns === undefined ? { match_all: {} } : { terms: { 'columns.column': columns } }
  const nested = {
    path: 'columns',
    score_mode: 'max',
    query: {
      script_score: {
        query: columns === undefined ? some : { bool: { filter: [some] } },
        script: {
          source: 'knn_score',
          lang: 'knn',
          params: {
            field: 'columns.vector',
            query_value: Array.from(vector),
            space_type: 'innerproduct',
          },
        },
      },
    },
  }
  const filter = mask === undefined ? [] : [rowsPass(mask)]
  return { size, query: { bool: { must: [{ nested }], filter } } }
}

export const rowsPass = (mask: RowMask): object => ({
  terms: { row: [rowBitmap(mask)], value_type: 'bitmap' },
})

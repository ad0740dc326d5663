/** Scores rows by the native core and puts them in the order of every search. */
import { scoreVectors } from '../../native/addon/index.js'
import { yieldToEventLoop } from '../../native/scheduling/yield-to-event-loop.js'
import type { RowVectors } from './stored-rows.js'

export interface Hit {
  readonly row: number
  readonly column: number
  readonly score: number
}

export interface HitOptions {
  /** All when undefined. */
  readonly columns: ReadonlySet<number> | undefined
  readonly distinct: boolean
}

/** A fraction of a millisecond on the JavaScript thread. */
const vectorsAtOnce = 1024

/** The first k of the total order (score descending, row ascending, column ascending) among some rows. */
export async function exactHits(
  query: Float32Array,
  k: number,
  rows: readonly number[],
  stored: readonly RowVectors[],
  options: HitOptions,
): Promise<readonly Hit[]> {
  const hits: Hit[] = []
  for (const { begin, end, count } of partsOf(stored)) {
    if (begin > 0) await yieldToEventLoop()
    const vectors = new Float32Array(count * query.length)
    let filled = 0
    for (let i = begin; i < end; i += 1) {
      const part = stored[i]?.vectors ?? noVectors
      vectors.set(part, filled)
      filled += part.length
    }
    const scores = scoreVectors(query, vectors)
    let position = 0
    for (let i = begin; i < end; i += 1) {
      const columns = stored[i]?.columns ?? []
      const own = columns.map((column, j) => ({
        row: rows[i] ?? 0,
        column,
        score: scores[position + j] ?? NaN,
      }))
      position += columns.length
      const found = own.filter(
        ({ column, score }) => !Number.isNaN(score) && options.columns?.has(column) !== false,
      )
      if (!options.distinct) hits.push(...found)
      else if (found.length > 0)
        hits.push(found.reduce((best, hit) => (inOrder(best, hit) <= 0 ? best : hit)))
    }
  }
  return hits.sort(inOrder).slice(0, k)
}

const inOrder = (a: Hit, b: Hit): number =>
  b.score - a.score || a.row - b.row || a.column - b.column

const noVectors = new Float32Array(0)

/** Parts of about as many vectors. */
function* partsOf(stored: readonly RowVectors[]) {
  let begin = 0
  let count = 0
  for (let end = 1; end <= stored.length; end += 1) {
    count += stored[end - 1]?.columns.length ?? 0
    if (count < vectorsAtOnce && end < stored.length) continue
    yield { begin, end, count }
    begin = end
    count = 0
  }
}

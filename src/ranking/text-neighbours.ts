/** How near every entry's texts are to those of one entry, by their stored vectors: nothing is encoded. */
import type { RowMask } from '../util/row-mask.js'
import { passes } from '../util/row-mask.js'
import type { Collection } from '../index/store.js'
import type { SearchResult } from '../native/vector-index.js'

export interface TextNeighbours {
  /** One a row of the dataset: the cosine of the nearest pair of texts; NaN for rows beyond the nearest `depth`. */
  readonly cosines: Float32Array
  /** One a row: position in the dataset's columns of the other entry's text in that pair. */
  readonly columns: Uint16Array
}

/**
 * Compares every text of an entry with every text of the others; the best pair counts, of equal ones that of the
 * first column.
 * @param depth how many rows are told, the nearest
 * @param mask rows that are compared; all if undefined
 */
export async function textNeighbours(
  { index, columns: datasetColumns, valid }: Collection,
  row: number,
  depth: number,
  mask: RowMask | undefined,
  signal: AbortSignal | undefined,
): Promise<TextNeighbours> {
  const cosines = new Float32Array(index.rows).fill(NaN)
  const columns = new Uint16Array(index.rows)
  // An entry without a vector has no neighbours.
  if (!passes(valid, row)) return { cosines, columns }
  const queries = nonZeroVectors(await index.vectors(row), index.dimension)
  const queryCount = queries.length / index.dimension
  const k = Math.min(depth, index.rows)
  const hits = await index.search(queries, queryCount, k, { mask, signal })
  for (const hit of hitsOf(hits, queryCount, k)) {
    const current = cosines[hit.row] ?? NaN
    const column = datasetColumns[hit.column] ?? 0
    const isFirst = hit.score === current && column < (columns[hit.row] ?? 0)
    if (hit.score <= current && !isFirst) continue
    cosines[hit.row] = hit.score
    columns[hit.row] = column
  }
  return { cosines, columns }
}

function* hitsOf({ rows, columns, scores, counts }: SearchResult, queryCount: number, k: number) {
  for (let query = 0; query < queryCount; query += 1) {
    for (let hit = query * k; hit < query * k + (counts[query] ?? 0); hit += 1) {
      yield { row: rows[hit] ?? 0, column: columns[hit] ?? 0, score: scores[hit] ?? 0 }
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

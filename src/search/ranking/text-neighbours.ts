/** How near every entry's texts are to those of one entry, by their stored vectors: nothing is encoded. */
import type { RowMask } from '../../base/util/row-mask.js'
import { passes } from '../../base/util/row-mask.js'
import { searchEach } from '../index/search-each.js'
import type { Collection } from '../index/store.js'

export interface TextNeighbours {
  /** One a row of the dataset: the cosine of the nearest pair of texts; NaN for rows beyond the nearest `depth`. */
  readonly cosines: Float32Array
  /** One a row: position in the dataset's columns of the other entry's text in that pair. */
  readonly columns: Uint16Array
}

/**
 * Compares every text of an entry with every text of the others; the best pair counts, of equal ones that of the
 * first column.
 * @param depth how many rows are returned, the nearest
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
  const found = await searchEach(index, queries, Math.min(depth, index.rows), { mask, signal })
  for (const hits of found) {
    hits.rows.forEach((near, position) => {
      const score = hits.scores[position] ?? 0
      const column = datasetColumns[hits.columns[position] ?? 0] ?? 0
      const current = cosines[near] ?? NaN
      const isFirst = score === current && column < (columns[near] ?? 0)
      if (score <= current && !isFirst) return
      cosines[near] = score
      columns[near] = column
    })
  }
  return { cosines, columns }
}

/** The vectors of texts that exist; those of absent texts are zero. */
function nonZeroVectors(vectors: Float32Array, dimension: number): readonly Float32Array[] {
  const columns = Array.from({ length: vectors.length / dimension }, (_, column) =>
    vectors.subarray(column * dimension, (column + 1) * dimension),
  )
  return columns.filter((vector) => vector.some((value) => value !== 0))
}

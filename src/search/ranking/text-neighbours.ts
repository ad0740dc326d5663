/** How near every entry's texts are to those of one entry, by their stored vectors: nothing is encoded. */
import type { Cosines } from '../../native/addon/rank-plan.js'
import type { RowMask } from '../../base/util/row-mask.js'
import { passes } from '../../base/util/row-mask.js'
import { searchEach } from '../index/search-each.js'
import type { Collection } from '../index/store.js'

export interface TextNeighbours {
  /** The nearest rows, at most `depth` for each text of the entry, and the cosine of each with its nearest pair of texts. */
  readonly cosines: Cosines
  /** By row: position in the dataset's columns of the other entry's text in that pair. */
  readonly columns: ReadonlyMap<number, number>
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
  const near = new Map<number, { score: number; column: number }>()
  // An entry without a vector has no neighbours.
  if (passes(valid, row)) {
    const queries = nonZeroVectors(await index.vectors(row), index.dimension)
    const found = await searchEach(index, queries, Math.min(depth, index.rows), { mask, signal })
    for (const hits of found) {
      hits.rows.forEach((other, position) => {
        const score = hits.scores[position] ?? 0
        const column = datasetColumns[hits.columns[position] ?? 0] ?? 0
        const current = near.get(other)
        const isFirst = score === current?.score && column < current.column
        if (current === undefined || score > current.score || isFirst)
          near.set(other, { score, column })
      })
    }
  }
  return {
    cosines: {
      rows: Uint32Array.from(near.keys()),
      cosines: Float32Array.from(near.values(), ({ score }) => score),
    },
    columns: new Map(Array.from(near, ([other, { column }]) => [other, column])),
  }
}

/** The vectors of texts that exist; those of absent texts are zero. */
function nonZeroVectors(vectors: Float32Array, dimension: number): readonly Float32Array[] {
  const columns = Array.from({ length: vectors.length / dimension }, (_, column) =>
    vectors.subarray(column * dimension, (column + 1) * dimension),
  )
  return columns.filter((vector) => vector.some((value) => value !== 0))
}

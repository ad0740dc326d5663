/** Several vectors compared with all texts of a dataset in one scan, and what is found for each. */
import type { SearchOptions, SearchResult, VectorIndex } from '../../native/addon/vector-index.js'
import { joinVectors } from '../../base/util/join-vectors.js'

/** The nearest first; `counts` are the lengths. */
export type Found = Omit<SearchResult, 'counts'>

/** @param k at most so many rows for each vector */
export async function searchEach(
  index: Pick<VectorIndex, 'search'>,
  vectors: readonly Float32Array[],
  k: number,
  options: SearchOptions,
): Promise<readonly Found[]> {
  const [first] = vectors
  if (first === undefined) return []
  const queries = vectors.length === 1 ? first : joinVectors(vectors, first.length)
  const { counts, ...found } = await index.search(queries, vectors.length, k, options)
  return vectors.map((_, i) => {
    const [begin, end] = [i * k, i * k + (counts[i] ?? 0)]
    return {
      ...found,
      rows: found.rows.subarray(begin, end),
      columns: found.columns.subarray(begin, end),
      scores: found.scores.subarray(begin, end),
    }
  })
}

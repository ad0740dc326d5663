/**
 * How alike works are by their tags and genres: the cosine of their vectors, in which each tag and genre counts
 * its degree times the root of its inverse document frequency ln(1 + N / n): with the whole of it, rare tags decide alone.
 */
import type { DatasetFacts, WeightedRows } from './dataset-facts.js'

export interface SimilarWorks {
  /** The similarity of each row to the rows together, 0 to 1; 0 where nothing is known. */
  similarTo(rows: readonly number[]): Float32Array
}

/** A genre says less of a work than a tag that somebody chose for it. */
const genreDegree = 0.8

export function createSimilarWorks({ tags, genres, rowCount }: DatasetFacts): SimilarWorks {
  const features = [
    ...tags.values(),
    ...[...genres.values()].map((rows): WeightedRows => ({
      rows,
      degrees: new Float32Array(rows.length).fill(genreDegree),
    })),
  ].map((feature) => ({ ...feature, idf: Math.sqrt(Math.log(1 + rowCount / feature.rows.length)) }))
  const norms = new Float64Array(rowCount)
  const featuresOf = Array.from({ length: rowCount }, (): number[] => [])
  features.forEach(({ rows, degrees, idf }, feature) => {
    rows.forEach((row, position) => {
      norms[row] = (norms[row] ?? 0) + ((degrees[position] ?? 0) * idf) ** 2
      featuresOf[row]?.push(feature)
    })
  })
  norms.forEach((sum, row) => (norms[row] = Math.sqrt(sum)))

  /** Of the rows together: the mean of their vectors of length 1. */
  function vectorOf(rows: readonly number[]): Map<number, number> {
    const vector = new Map<number, number>()
    for (const row of rows) {
      for (const feature of featuresOf[row] ?? []) {
        const { rows: list, degrees, idf } = features[feature] ?? emptyFeature
        const degree = degrees[positionOf(list, row)] ?? 0
        const value = (degree * idf) / (norms[row] ?? 1) / rows.length
        vector.set(feature, (vector.get(feature) ?? 0) + value)
      }
    }
    return vector
  }

  return {
    similarTo(rows) {
      const similarities = new Float32Array(rowCount)
      const vector = vectorOf(rows)
      const length = Math.hypot(...vector.values())
      if (length === 0) return similarities
      for (const [feature, value] of vector) {
        const { rows: list, degrees, idf } = features[feature] ?? emptyFeature
        list.forEach((row, position) => {
          const part = ((degrees[position] ?? 0) * idf * value) / length / (norms[row] ?? 1)
          similarities[row] = (similarities[row] ?? 0) + part
        })
      }
      return similarities
    },
  }
}

const emptyFeature = { rows: new Uint32Array(0), degrees: new Float32Array(0), idf: 0 }

/** The position of a row in an ascending list that has it. */
function positionOf(list: Uint32Array, row: number): number {
  let [low, high] = [0, list.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) < row) low = middle + 1
    else high = middle
  }
  return low
}

/** A VectorIndex over plain arrays: it scores every row, in double precision, and sorts. */
import { maskOf, passes, type RowMask } from '#synoptic/base/util/row-mask.js'
import type {
  IndexStats,
  SearchResult,
  SearchOptions,
  VectorIndex,
} from '#synoptic/native/addon/vector-index.js'

export interface ArrayIndexOptions {
  readonly columns: readonly string[]
  /** One vector a row and column, null where there is no text: `matrices[column][row]`. */
  readonly matrices: readonly (readonly (Float32Array | null)[])[]
  readonly dimension: number
  readonly rows: number
}

export class ArrayIndex implements VectorIndex {
  readonly rows: number
  readonly dimension: number
  readonly columns: readonly string[]
  isClosed = false
  searches = 0
  /** Queries of each search. */
  readonly sizes: number[] = []
  /** While set, searches wait for it. */
  hold: Promise<void> | undefined

  constructor(private readonly options: ArrayIndexOptions) {
    this.rows = options.rows
    this.dimension = options.dimension
    this.columns = options.columns
  }

  search(
    queries: Float32Array,
    count: number,
    k: number,
    { signal, mask }: SearchOptions = {},
  ): Promise<SearchResult> {
    this.searches += 1
    if (this.isClosed) return Promise.reject(new Error('closed'))
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    this.sizes.push(count)
    const answer = {
      rows: new Uint32Array(count * k),
      columns: new Uint16Array(count * k),
      scores: new Float32Array(count * k),
      counts: new Uint32Array(count),
    }
    for (let query = 0; query < count; query++) {
      const { dimension } = this
      const vector = queries.subarray(query * dimension, (query + 1) * dimension)
      if (!vector.some((value) => value !== 0)) return Promise.reject(new Error('a zero query'))
      const mayPass = ({ row }: { row: number }) => mask === undefined || passes(mask, row)
      const hits = this.hits(vector).filter(mayPass).slice(0, k)
      answer.counts[query] = hits.length
      hits.forEach(({ row, column, score }, position) => {
        answer.rows[query * k + position] = row
        answer.columns[query * k + position] = column
        answer.scores[query * k + position] = score
      })
    }
    return (this.hold ?? Promise.resolve()).then(() => answer)
  }

  validRows(): RowMask {
    const rows = Array.from({ length: this.rows }, (_, row) => row)
    return maskOf(
      this.rows,
      rows.filter((row) => this.options.matrices.some((matrix) => matrix[row])),
    )
  }

  vectors(row: number): Promise<Float32Array> {
    const blank = new Float32Array(this.dimension)
    const vectors = this.options.matrices.map((matrix) => matrix[row] ?? blank)
    return Promise.resolve(Float32Array.from(vectors.flatMap((vector) => [...vector])))
  }

  stats(): IndexStats {
    const { matrices } = this.options
    const rows = Array.from({ length: this.rows }, (_, row) => row)
    return {
      validRows: rows.filter((row) => matrices.some((matrix) => matrix[row])).length,
      validVectors: matrices.map((matrix) => matrix.filter((vector) => vector !== null).length),
      mappedBytes: 0,
    }
  }

  close(): void {
    this.isClosed = true
  }

  /** Every row with a vector, best first. */
  private hits(query: Float32Array) {
    return Array.from({ length: this.rows }, (_, row) => this.bestColumn(query, row))
      .filter((hit) => hit !== undefined)
      .sort((a, b) => b.score - a.score || a.row - b.row)
  }

  private bestColumn(query: Float32Array, row: number) {
    return this.options.matrices
      .flatMap((matrix, column) => {
        const vector = matrix[row]
        return vector ? [{ row, column, score: Math.fround(cosine(query, vector)) }] : []
      })
      .sort((a, b) => b.score - a.score || a.column - b.column)[0]
  }
}

export function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

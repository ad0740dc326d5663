/** The whole contract of scoring in plain numbers; the tests compare every kernel with it, bit for bit. */
export interface OracleMatrix {
  readonly values: Float32Array
  readonly dimension: number
}

export interface OracleHit {
  readonly row: number
  readonly column: number
  readonly score: number
}

export interface OracleOptions {
  readonly mask?: Uint8Array | undefined
  readonly columns?: readonly number[] | undefined
  readonly distinct?: boolean | undefined
}

/** Products of two float32 are exact in float64; 16 lanes in ascending order, then a tree. */
function sumOf(a: Float32Array, b: Float32Array): number {
  const lanes = new Float64Array(16)
  for (let i = 0; i < a.length; i++) lanes[i & 15] = at(lanes, i & 15) + at(a, i) * at(b, i)
  for (let width = 8; width >= 1; width /= 2) {
    for (let lane = 0; lane < width; lane++) lanes[lane] = at(lanes, lane) + at(lanes, lane + width)
  }
  return at(lanes, 0)
}

/** The first k of the total order (score descending, row ascending, column ascending). */
export function oracleSearch(
  matrices: readonly OracleMatrix[],
  rows: number,
  query: Float32Array,
  k: number,
  { mask, columns = matrices.map((_, column) => column), distinct = true }: OracleOptions = {},
): OracleHit[] {
  const queryNorm = Math.sqrt(sumOf(query, query))
  const hits: OracleHit[] = []
  for (let row = 0; row < rows; row++) {
    if (mask && ((at(mask, row >> 3) >> (row & 7)) & 1) === 0) continue
    const found: OracleHit[] = []
    for (const column of columns) {
      const matrix = matrices[column]
      if (matrix === undefined) throw new Error(`There is no column ${column}.`)
      const { values, dimension } = matrix
      const vector = values.subarray(row * dimension, (row + 1) * dimension)
      const square = sumOf(vector, vector)
      if (!(square > 0 && square < Infinity)) continue
      const inverse = 1 / (queryNorm * Math.sqrt(square))
      found.push({ row, column, score: Math.fround(sumOf(query, vector) * inverse) })
    }
    found.sort(inOrder)
    hits.push(...(distinct ? found.slice(0, 1) : found))
  }
  return hits.sort(inOrder).slice(0, k)
}

/** An element that is known to be there. */
function at(array: Float32Array | Float64Array | Uint8Array, index: number): number {
  return array[index] ?? NaN
}

function inOrder(a: OracleHit, b: OracleHit): number {
  return b.score - a.score || a.row - b.row || a.column - b.column
}

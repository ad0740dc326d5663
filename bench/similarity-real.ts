/** Real embeddings for similarity.ts, from files that `synoptic embed build` wrote. */
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'

/** Kept from the rows, so that no query finds itself. */
const heldOut = 256
const noise = 0.02

export interface RealVectors {
  readonly dimension: number
  /** Vectors that become rows. */
  readonly count: number
  /** Unit vectors: count x dimension. */
  readonly values: Float32Array
  /** At most 256 of the vectors that do not become rows. */
  queries(count: number): Float32Array
}

/** @param files paths of `.npy` files of one dimension, joined as in PATH */
export function readVectors(files: string): RealVectors {
  const matrices = files.split(delimiter).map(readNpy)
  const dimension = matrices[0]?.dimension ?? 0
  if (matrices.some((matrix) => matrix.dimension !== dimension)) {
    throw new Error('SYNOPTIC_BENCH_VECTORS: expected files of one dimension')
  }
  const units = matrices.flatMap(({ values }) => unitRows(values, dimension))
  const count = units.length - heldOut
  if (count < 1) throw new Error(`SYNOPTIC_BENCH_VECTORS: expected more than ${heldOut} vectors`)
  // Every n-th one is held out: catalogues are ordered.
  const stride = Math.floor(units.length / heldOut)
  const isHeldOut = (i: number): boolean => i % stride === 0 && i / stride < heldOut
  const join = (rows: readonly Float32Array[]): Float32Array =>
    Float32Array.from({ length: rows.length * dimension }, (_, i) => {
      return rows[Math.floor(i / dimension)]?.[i % dimension] ?? 0
    })
  const held = units.filter((_, i) => isHeldOut(i))
  return {
    dimension,
    count,
    values: join(units.filter((_, i) => !isHeldOut(i))),
    queries: (wanted) => join(held.slice(0, wanted)),
  }
}

/** The vectors one after the other, again and again, with noise on every coordinate. */
export function tiledSource(
  { dimension, count, values }: RealVectors,
  random: (count: number) => Float32Array,
): (rows: number) => Float32Array {
  let next = 0
  return (rows) => {
    const tile = random(rows * dimension)
    for (let row = 0; row < rows; row++, next = (next + 1) % count) {
      for (let d = 0; d < dimension; d++) {
        const at = row * dimension + d
        tile[at] = (tile[at] ?? 0) * noise + (values[next * dimension + d] ?? 0)
      }
    }
    return tile
  }
}

function readNpy(path: string): { dimension: number; values: Float32Array } {
  const bytes = readFileSync(path)
  const shape = /'shape': \((\d+), (\d+)\)/.exec(bytes.toString('latin1', 0, 256))
  const [rows, dimension] = [Number(shape?.[1]), Number(shape?.[2])]
  if (!(rows * dimension > 0)) throw new Error(`${path}: expected rows of float32`)
  const data = bytes.subarray(bytes.length - rows * dimension * 4)
  return { dimension, values: new Float32Array(new Uint8Array(data).buffer) }
}

/** The rows that are not blank, divided by their norms. */
function unitRows(values: Float32Array, dimension: number): Float32Array[] {
  const rows = []
  for (let begin = 0; begin < values.length; begin += dimension) {
    const row = values.slice(begin, begin + dimension)
    const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0))
    if (norm > 0) rows.push(row.map((value) => value / norm))
  }
  return rows
}

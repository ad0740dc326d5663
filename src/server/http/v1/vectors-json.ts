/**
 * Vectors as JSON, in pieces: a thousand vectors are megabytes of digits, and the event loop looks at its
 * sockets between the pieces.
 */
import { yieldToEventLoop } from '../../../native/scheduling/yield-to-event-loop.js'

/** They take some four milliseconds. */
const pieceNumbers = 8192

export interface Vectors {
  readonly vectors: Float32Array
  readonly dimension: number
}

/** How one vector is written. */
export type WriteVector = (vector: Float32Array, row: number) => string

/** @param write returns the JSON of a vector's member of the list */
export async function vectorsJson(
  { vectors, dimension }: Vectors,
  write: WriteVector,
  before: string,
  after: string,
): Promise<string> {
  const rows = vectors.length / dimension
  const rowsAtOnce = Math.max(1, Math.floor(pieceNumbers / dimension))
  const pieces: string[] = []
  const request = {}
  for (let begin = 0; begin < rows; begin += rowsAtOnce) {
    if (begin > 0) await yieldToEventLoop(request)
    const end = Math.min(rows, begin + rowsAtOnce)
    const written: string[] = []
    for (let row = begin; row < end; row += 1) {
      written.push(write(vectors.subarray(row * dimension, (row + 1) * dimension), row))
    }
    pieces.push(written.join(','))
  }
  return `${before}${pieces.join(',')}${after}`
}

/** Nine digits bring back the same float32; its float64 has twice as many. */
export function numbersOf(vector: Float32Array): string {
  let list = '['
  for (let position = 0; position < vector.length; position += 1) {
    if (position > 0) list += ','
    list += (vector[position] ?? 0).toPrecision(9)
  }
  return `${list}]`
}

/** The bytes of the float32, little-endian. */
export const base64Of = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')

/** The two directions in which vectors differ most. A layout that starts from them keeps far things far. */
import { seededRandom } from './random.js'

const iterations = 24
/** The axes of a sample are those of all, for a fraction of the time. */
const maxSample = 4000

/** @returns two coordinates a vector, with a spread of about 1 */
export function principalCoordinates(values: Float32Array, dimension: number): Float64Array {
  const rows = values.length / dimension
  const step = Math.max(1, Math.floor(rows / maxSample))
  const axes: Float64Array[] = []
  for (const seed of [1, 2]) {
    const random = seededRandom(seed)
    let axis = Float64Array.from({ length: dimension }, () => random() - 0.5)
    for (let i = 0; i < iterations; i++) {
      const next = new Float64Array(dimension)
      for (let row = 0; row < rows; row += step) {
        const along = dot(values, row * dimension, axis)
        for (let j = 0; j < dimension; j++)
          next[j] = (next[j] ?? 0) + along * (values[row * dimension + j] ?? 0)
      }
      for (const other of axes) removeFrom(next, other)
      axis = unit(next)
    }
    axes.push(axis)
  }
  const coordinates = new Float64Array(2 * rows)
  for (const [at, axis] of axes.entries()) {
    let square = 0
    for (let row = 0; row < rows; row++) {
      const along = dot(values, row * dimension, axis)
      coordinates[2 * row + at] = along
      square += along * along
    }
    const spread = Math.sqrt(square / rows) || 1
    for (let row = 0; row < rows; row++)
      coordinates[2 * row + at] = (coordinates[2 * row + at] ?? 0) / spread
  }
  return coordinates
}

function dot(values: Float32Array, begin: number, axis: Float64Array): number {
  let sum = 0
  for (let i = 0; i < axis.length; i++) sum += (values[begin + i] ?? 0) * (axis[i] ?? 0)
  return sum
}

function removeFrom(vector: Float64Array, axis: Float64Array): void {
  const along = vector.reduce((sum, value, i) => sum + value * (axis[i] ?? 0), 0)
  axis.forEach((value, i) => (vector[i] = (vector[i] ?? 0) - along * value))
}

function unit(vector: Float64Array): Float64Array<ArrayBuffer> {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1
  return Float64Array.from(vector, (value) => value / norm)
}

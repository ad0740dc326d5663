/** Writes `.npy` files, good and bad, and values that are hard to score. */
import { writeFileSync } from 'node:fs'

export interface NpyOptions {
  readonly descr?: string
  readonly fortranOrder?: string
  readonly shape?: string
  readonly version?: number
}

export function npyBytes(
  rows: number,
  dimension: number,
  values: Float32Array,
  { descr = "'<f4'", fortranOrder = 'False', shape, version = 1 }: NpyOptions = {},
): Buffer {
  const text = `{'descr': ${descr}, 'fortran_order': ${fortranOrder}, 'shape': ${
    shape ?? `(${rows}, ${dimension})`
  }, }`
  const padded = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + '\n'
  const prefix = Buffer.from('\x93NUMPY\0\0\0\0', 'latin1')
  prefix[6] = version
  prefix.writeUInt16LE(padded.length, 8)
  const data = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  return Buffer.concat([prefix, Buffer.from(padded, 'latin1'), data])
}

export function writeNpy(
  path: string,
  rows: number,
  dimension: number,
  values: Float32Array,
): string {
  writeFileSync(path, npyBytes(rows, dimension, values))
  return path
}

/** A small generator with a seed (mulberry32), so that a failure can be repeated. */
export function randomSource(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function randomValues(count: number, seed: number): Float32Array {
  const random = randomSource(seed)
  return Float32Array.from({ length: count }, () => random() + random() + random() - 1.5)
}

/**
 * Rows scaled from 1e-20 to 1e18, duplicated, denormal, constant, with one huge value, zero, NaN and
 * infinite, next to ordinary ones.
 */
export function adversarialValues(rows: number, dimension: number, seed: number): Float32Array {
  const values = randomValues(rows * dimension, seed)
  for (let row = 0; row < rows; row++) {
    const vector = values.subarray(row * dimension, (row + 1) * dimension)
    const at = row % dimension
    const changes: Record<number, () => void> = {
      1: () => vector.forEach((value, d) => (vector[d] = value * 1e-20)),
      2: () => vector.forEach((value, d) => (vector[d] = value * 1e18)),
      3: () => vector.set(values.subarray(0, dimension)),
      4: () => vector.fill(0),
      5: () => (vector[at] = NaN),
      6: () => (vector[at] = -Infinity),
      7: () => vector.fill(1e-45),
      8: () => (vector[at] = 3e38),
      9: () => vector.fill(-1),
    }
    changes[row % 11]?.()
  }
  return values
}

/**
 * The matrices of similarity.ts: made once, kept in build-bench/, the same on every machine; and real
 * embeddings, tiled.
 */
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { openNpyWriter } from '#synoptic/data/embed/npy-writer.js'
import { readVectors, tiledSource, type RealVectors } from './similarity-real.js'

export interface MatrixSet {
  readonly name: string
  readonly columns: number
  readonly rows: number
  readonly dimension: number
  /** `isotropic`: every direction alike, the worst case; `embedding`: scores as of sentence models. */
  readonly kind: 'isotropic' | 'embedding' | RealVectors
}

/** Set where the environment names `.npy` files of real embeddings, which are tiled to 200,000 rows. */
export function realSet(print: (line: string) => void): MatrixSet | undefined {
  const files = process.env.SYNOPTIC_BENCH_VECTORS
  if (files === undefined) {
    print('  no real embeddings: set SYNOPTIC_BENCH_VECTORS to the .npy files of a collection')
    return undefined
  }
  const kind = readVectors(files)
  const { count, dimension } = kind
  print(`  ${count} real embeddings, tiled with noise of 0.02 a coordinate`)
  return { name: `real-${dimension}`, columns: 1, rows: 200_000, dimension, kind }
}

/**
 * Shares of the squared norm along the principal directions of `embedding`: with the rest spread evenly,
 * scores of random pairs have a standard deviation of about 0.14, as all-MiniLM-L6-v2's have.
 */
const leadingShares = Array.from({ length: 24 }, (_, i) => 0.07 * 0.87 ** i)

/** Writes the set's files where they are missing; returns them. */
export async function makeMatrices(folder: string, set: MatrixSet): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const paths: string[] = []
  for (let column = 0; column < set.columns; column++) {
    const path = join(folder, `${set.name}-${column}.npy`)
    paths.push(path)
    if (existsSync(path) && typeof set.kind === 'string') continue
    const writer = await openNpyWriter(`${path}.aside`, set)
    const vectors = vectorSource(set, column + 1)
    for (let row = 0; row < set.rows; row += 1000) {
      await writer.write(vectors(Math.min(1000, set.rows - row)))
    }
    await writer.finish()
    renameSync(`${path}.aside`, path)
  }
  return paths
}

export function makeQueries(set: MatrixSet, count: number): Float32Array {
  if (typeof set.kind !== 'string') return set.kind.queries(count)
  return vectorSource(set, 1_000_003)(count)
}

function vectorSource(set: MatrixSet, seed: number): (count: number) => Float32Array {
  const { dimension, kind } = set
  if (typeof kind !== 'string') return tiledSource(kind, gaussians(seed))
  const shares = kind === 'embedding' ? leadingShares : []
  const rest = Math.sqrt((1 - shares.reduce((sum, share) => sum + share, 0)) / dimension)
  const directions = gaussians(4242)(shares.length * dimension)
  shares.forEach((_, i) => {
    const direction = directions.subarray(i * dimension, (i + 1) * dimension)
    const norm = Math.hypot(...direction)
    direction.forEach((value, d) => (direction[d] = value / norm))
  })
  const random = gaussians(seed)
  return (count) => {
    const vectors = random(count * dimension)
    for (let row = 0; row < count; row++) {
      const vector = vectors.subarray(row * dimension, (row + 1) * dimension)
      for (let d = 0; d < dimension; d++) vector[d] = (vector[d] ?? 0) * rest
      const weights = random(shares.length)
      shares.forEach((share, i) => {
        const weight = (weights[i] ?? 0) * Math.sqrt(share)
        const begin = i * dimension
        for (let d = 0; d < dimension; d++) {
          vector[d] = (vector[d] ?? 0) + weight * (directions[begin + d] ?? 0)
        }
      })
    }
    return vectors
  }
}

/** Nearly normal numbers: the sum of the four 8-bit parts of two xorshift words. */
function gaussians(seed: number): (count: number) => Float32Array {
  let state = Math.imul(seed, 0x9e3779b1) | 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state
  }
  const sum = (word: number): number =>
    (word & 255) + ((word >>> 8) & 255) + ((word >>> 16) & 255) + (word >>> 24)
  // Eight uniform bytes have a mean of 8 x 127.5 and a variance of 8 x (256^2 - 1) / 12.
  const scale = 1 / Math.sqrt((8 * 65535) / 12)
  return (count) => {
    const values = new Float32Array(count)
    for (let i = 0; i < count; i++) values[i] = (sum(next()) + sum(next()) - 1020) * scale
    return values
  }
}

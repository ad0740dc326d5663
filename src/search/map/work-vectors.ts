/**
 * One vector a work, by which the map places it: its texts' vectors, and what its tags and genres mean in the same
 * space. A trait means the mean of the texts of the works that have it, so that works without a text are placed among
 * those that are about the same.
 */
import type { VectorIndex } from '../../native/addon/vector-index.js'

/** Works that share a tag or a genre. */
export interface Trait {
  readonly name: string
  readonly rows: Uint32Array
  /** How much it says of each of them, 0 to 1; all the same if undefined. */
  readonly degrees?: Float32Array | undefined
}

export interface WorkVectors {
  readonly dimension: number
  /** The catalogue's row of each vector, ascending; a work without texts and tags has none. */
  readonly rows: Uint32Array
  /** Unit vectors, rows x dimension. */
  readonly values: Float32Array
}

/** The weight of a work's traits, where its texts have 1. */
const traitWeight = 0.9

export async function workVectors(
  index: Pick<VectorIndex, 'rows' | 'dimension' | 'vectors'>,
  traits: readonly Trait[],
): Promise<WorkVectors> {
  const { rows, dimension } = index
  const values = new Float32Array(rows * dimension)
  const hasText = new Uint8Array(rows)
  for (let row = 0; row < rows; row++) {
    const columns = await index.vectors(row)
    const sum = vectorAt(values, row, dimension)
    for (let at = 0; at < columns.length; at += dimension) {
      const column = columns.subarray(at, at + dimension)
      if (normalize(column)) addTo(sum, column, 1)
    }
    hasText[row] = Number(normalize(sum))
  }
  centre(values, dimension, hasText)
  addTraits(values, dimension, hasText, traits)
  return compact(values, dimension)
}

/** Subtracts the mean of all texts, which distinguishes none from another. */
function centre(values: Float32Array, dimension: number, hasText: Uint8Array): void {
  const mean = new Float32Array(dimension)
  const count = hasText.reduce((sum, one) => sum + one, 0)
  if (count < 2) return
  hasText.forEach((one, row) => one && addTo(mean, vectorAt(values, row, dimension), 1 / count))
  hasText.forEach((one, row) => {
    if (one === 0) return
    const vector = vectorAt(values, row, dimension)
    addTo(vector, mean, -1)
    normalize(vector)
  })
}

function addTraits(
  values: Float32Array,
  dimension: number,
  hasText: Uint8Array,
  traits: readonly Trait[],
): void {
  const added = new Float32Array(values.length)
  for (const { rows, degrees } of traits) {
    const meaning = new Float32Array(dimension)
    rows.forEach((row, at) => {
      if (hasText[row] === 1) addTo(meaning, vectorAt(values, row, dimension), degrees?.[at] ?? 1)
    })
    if (!normalize(meaning)) continue
    const rarity = Math.log(hasText.length / rows.length) + 0.1
    rows.forEach((row, at) =>
      addTo(vectorAt(added, row, dimension), meaning, rarity * (degrees?.[at] ?? 1)),
    )
  }
  for (let row = 0; row < hasText.length; row++) {
    const meaning = vectorAt(added, row, dimension)
    if (normalize(meaning)) addTo(vectorAt(values, row, dimension), meaning, traitWeight)
  }
}

function compact(values: Float32Array, dimension: number): WorkVectors {
  const rows: number[] = []
  for (let row = 0; row * dimension < values.length; row++) {
    const vector = vectorAt(values, row, dimension)
    if (!normalize(vector)) continue
    vectorAt(values, rows.length, dimension).set(vector)
    rows.push(row)
  }
  return {
    dimension,
    rows: Uint32Array.from(rows),
    values: values.subarray(0, rows.length * dimension),
  }
}

const vectorAt = (values: Float32Array, row: number, dimension: number) =>
  values.subarray(row * dimension, (row + 1) * dimension)

function addTo(sum: Float32Array, vector: Float32Array, factor: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + factor * (vector[i] ?? 0)
}

/** Returns false for a vector without a direction, which stays as it is. */
function normalize(vector: Float32Array): boolean {
  let square = 0
  for (const value of vector) square += value * value
  if (!(square > 1e-12) || square === Infinity) return false
  const factor = 1 / Math.sqrt(square)
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * factor
  return true
}

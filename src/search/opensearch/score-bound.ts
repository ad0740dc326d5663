/**
 * How far a score of the engine can be from the exact cosine. The engine multiplies float32 in an order of its own,
 * docs/numerics.md proves the bound.
 */

/** What rounding to float32 leaves out at most, of what it rounds. */
const unit = 2 ** -24

/** Of the cosine that a score says, for vectors that were normalized here. */
export function scoreBound(dimension: number): number {
  const products = (dimension * unit) / (1 - dimension * unit)
  const others = 16 * unit
  return (products + others) * 1.01
}

/** The cosine behind a score of `innerproduct`: 1 + s for s of zero or more, 1 / (1 - s) below. */
export const cosineOf = (score: number): number => (score >= 1 ? score - 1 : 1 - 1 / score)

/** A copy of length one, as the engine gets it. Undefined for a vector without a direction. */
export function normalized(vector: Float32Array): Float32Array | undefined {
  let square = 0
  for (const value of vector) square += value * value
  if (!(square > 0 && square < Infinity)) return undefined
  const inverse = 1 / Math.sqrt(square)
  return vector.map((value) => value * inverse)
}

/** Whether a vector can be compared with others. */

/** False for NaN and infinite numbers, which a network of float16 or with broken weights gives. */
export function isFiniteVector(vector: Float32Array): boolean {
  for (const value of vector) if (!Number.isFinite(value)) return false
  return true
}

export function isZeroVector(vector: Float32Array): boolean {
  for (const value of vector) if (value !== 0) return false
  return true
}

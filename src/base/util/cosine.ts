/** Cosine of two vectors: 1 for two zero vectors, 0 for a zero vector and another one. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, left, right] = [0, 0, 0]
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? 0
    dot += value * other
    left += value * value
    right += other * other
  }
  if (left === 0 || right === 0) return left === right ? 1 : 0
  return dot / Math.sqrt(left * right)
}

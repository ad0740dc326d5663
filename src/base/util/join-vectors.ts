/** Vectors one after the other, as an index takes several queries. */
export function joinVectors(vectors: readonly Float32Array[], dimension: number): Float32Array {
  const joined = new Float32Array(vectors.length * dimension)
  vectors.forEach((vector, i) => joined.set(vector, i * dimension))
  return joined
}

/**
 * From a vector a token to a vector a text, as sentence-transformers does it. Sums run in float64
 * and are rounded once.
 */

export const poolingModes = [
  'cls',
  'max',
  'mean',
  'mean_sqrt_len_tokens',
  'weightedmean',
  'lasttoken',
] as const
export type PoolingMode = (typeof poolingModes)[number]

/**
 * Pools one text.
 * @param hidden vectors of its tokens, `tokenCount` x `width` from `start` on; padding follows them
 * @param target receives `width` numbers from `offset` on
 */
export function pool(
  mode: PoolingMode,
  hidden: Float32Array,
  start: number,
  tokenCount: number,
  width: number,
  target: Float32Array,
  offset: number,
): void {
  if (mode === 'cls' || mode === 'lasttoken') {
    const from = start + (mode === 'cls' ? 0 : (tokenCount - 1) * width)
    target.set(hidden.subarray(from, from + width), offset)
  } else if (mode === 'max') {
    poolMax(hidden, start, tokenCount, width, target, offset)
  } else {
    poolSum(mode, hidden, start, tokenCount, width, target, offset)
  }
}

/** Scales each vector to length one; a zero vector stays zero. */
export function normalize(vectors: Float32Array, dimension: number): void {
  for (let start = 0; start < vectors.length; start += dimension) {
    let sum = 0
    for (let i = start; i < start + dimension; i++) sum += (vectors[i] ?? 0) ** 2
    const inverse = 1 / Math.max(Math.sqrt(sum), smallestNorm)
    for (let i = start; i < start + dimension; i++) vectors[i] = (vectors[i] ?? 0) * inverse
  }
}

/** torch.nn.functional.normalize divides by no less. */
const smallestNorm = 1e-12

function poolMax(
  hidden: Float32Array,
  start: number,
  tokenCount: number,
  width: number,
  target: Float32Array,
  offset: number,
): void {
  target.set(hidden.subarray(start, start + width), offset)
  for (let token = 1; token < tokenCount; token++) {
    const from = start + token * width
    for (let i = 0; i < width; i++) {
      target[offset + i] = Math.max(target[offset + i] ?? 0, hidden[from + i] ?? 0)
    }
  }
}

function poolSum(
  mode: 'mean' | 'mean_sqrt_len_tokens' | 'weightedmean',
  hidden: Float32Array,
  start: number,
  tokenCount: number,
  width: number,
  target: Float32Array,
  offset: number,
): void {
  const sums = new Float64Array(width)
  let weights = 0
  for (let token = 0; token < tokenCount; token++) {
    const from = start + token * width
    const weight = mode === 'weightedmean' ? token + 1 : 1
    weights += weight
    for (let i = 0; i < width; i++) sums[i] = (sums[i] ?? 0) + weight * (hidden[from + i] ?? 0)
  }
  const divisor = mode === 'mean_sqrt_len_tokens' ? Math.sqrt(weights) : weights
  for (let i = 0; i < width; i++) target[offset + i] = (sums[i] ?? 0) / divisor
}

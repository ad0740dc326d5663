/**
 * How strongly works hold together: UMAP's fuzzy graph. Each work weighs its neighbours so that the nearest counts 1
 * and all together a fixed sum, whether it lives in a crowd or alone; an edge holds if either end wants it.
 */
import type { Neighbours } from './neighbours.js'

/** Each edge once. */
export interface Graph {
  readonly heads: Uint32Array
  readonly tails: Uint32Array
  /** Above 0 to 1. */
  readonly weights: Float32Array
}

export function fuzzyGraph({ indices, distances, count }: Neighbours): Graph {
  const wanted = memberships(distances, count)
  const rows = indices.length / count
  const heads = new Uint32Array(indices.length)
  const tails = new Uint32Array(indices.length)
  const weights = new Float32Array(indices.length)
  let edges = 0
  for (let row = 0; row < rows; row++) {
    for (let at = row * count; at < (row + 1) * count; at++) {
      const other = indices[at] ?? 0
      const back = indices.subarray(other * count, (other + 1) * count).indexOf(row)
      // The other end has it too, and comes first.
      if (back !== -1 && other < row) continue
      const one = wanted[at] ?? 0
      const two = back === -1 ? 0 : (wanted[other * count + back] ?? 0)
      heads[edges] = row
      tails[edges] = other
      weights[edges] = one + two - one * two
      edges += 1
    }
  }
  return {
    heads: heads.subarray(0, edges),
    tails: tails.subarray(0, edges),
    weights: weights.subarray(0, edges),
  }
}

const halvings = 40

/** exp(-(distance - nearest) / width), with the width by which a row's sum is log2 of its neighbours. */
function memberships(distances: Float32Array, count: number): Float32Array {
  const wanted = new Float32Array(distances.length)
  const target = Math.log2(count)
  for (let begin = 0; begin < distances.length; begin += count) {
    const nearest = distances[begin] ?? 0
    const sumAt = (width: number) => {
      let sum = 0
      for (let at = begin; at < begin + count; at++)
        sum += Math.exp(-((distances[at] ?? 0) - nearest) / width)
      return sum
    }
    let low = 1e-5
    let high = 10
    for (let i = 0; i < halvings; i++) {
      const middle = Math.sqrt(low * high)
      if (sumAt(middle) > target) high = middle
      else low = middle
    }
    for (let at = begin; at < begin + count; at++)
      wanted[at] = Math.exp(-((distances[at] ?? 0) - nearest) / high)
  }
  return wanted
}

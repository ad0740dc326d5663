/**
 * Rows that hold the first k of a search for certain. The engine's scores are near the exact ones, within a proven
 * bound; so rows within two bounds of the k-th are candidates, and more are fetched until one lies outside.
 */
import { cosineOf, scoreBound } from './score-bound.js'
import type { Answer } from './searches.js'

/** Fetches the first rows by the engine's scores. */
export type FetchNearest = (size: number) => Promise<Answer>

export interface CandidateRows {
  readonly rows: readonly number[]
  /** Rows that the engine sent. */
  readonly received: number
  /** How often more were fetched. */
  readonly widened: number
}

/** How many rows a walk through the graph has to end with, so that k of them are certain. */
export const reachFor = (k: number, candidates: number): number =>
  Math.min(mostInGraph, Math.max(candidates, k + slack(k)))

/** The engine refuses to walk further. */
const mostInGraph = 10_000

/** Rows beyond the k-th that a first request brings; few more lie within two bounds of it. */
const slack = (k: number): number => 16 + Math.ceil(k / 16)
const growth = 4

/**
 * @param k 1 or more
 * @param most rows that there are
 */
export async function findCandidates(
  fetchNearest: FetchNearest,
  k: number,
  { dimension, most }: { readonly dimension: number; readonly most: number },
): Promise<CandidateRows> {
  const bound = scoreBound(dimension)
  let size = Math.min(most, k + slack(k))
  for (let widened = 0; ; widened += 1) {
    const { hits } = (await fetchNearest(size)).hits
    const cosines = hits.map(({ _score }) => cosineOf(_score ?? NaN))
    const last = cosines[hits.length - 1] ?? NaN
    // The k-th exact score is at least this.
    const least = (cosines[k - 1] ?? -Infinity) - bound
    const isWhole = hits.length < size || size >= most
    if (isWhole || last + bound < least) {
      const rows = hits
        .filter((_, i) => (cosines[i] ?? NaN) + bound >= least)
        .map(({ _id }) => Number(_id))
      return { rows, received: hits.length, widened }
    }
    size = Math.min(most, size * growth)
  }
}

/**
 * The first work of a series before what continues it. A sequel's text names the same people, and often says more about
 * them, but a description of a story mostly describes how it begins.
 */
import type { QueryFit } from '../knowledge/query-fit.js'

export interface SeriesWeights {
  /** The share of what a sequel has more by its text, in logits, that the first work of its series gains. */
  readonly firstBySequel: number
  /** A work that continues another candidate, in logits. */
  readonly sequel: number
}

type SeriesFit = Pick<QueryFit, 'continued' | 'continuation' | 'explained'>

/** @returns the scores as they are where no candidate continues another, or the query describes a continuation or only facts */
export function inSeriesOrder(
  scores: Float32Array,
  rows: Uint32Array,
  { continued, continuation, explained }: SeriesFit,
  { firstBySequel, sequel }: SeriesWeights,
): Float32Array {
  const share = (1 - continuation) * (1 - explained)
  if (share === 0) return scores
  const firsts = new Set<number>()
  for (const row of rows) {
    const first = continued[row] ?? -1
    if (first >= 0) firsts.add(first)
  }
  const positions = new Map<number, number>()
  rows.forEach((row, position) => firsts.has(row) && positions.set(row, position))
  if (positions.size === 0) return scores
  const ordered = scores.slice()
  const best = new Map<number, number>()
  rows.forEach((row, position) => {
    const first = positions.get(continued[row] ?? -1)
    if (first === undefined) return
    const score = scores[position] ?? 0
    ordered[position] = (ordered[position] ?? 0) + share * sequel
    best.set(first, Math.max(best.get(first) ?? -Infinity, score))
  })
  for (const [first, score] of best) {
    const more = Math.max(0, score - (scores[first] ?? 0))
    ordered[first] = (ordered[first] ?? 0) + share * firstBySequel * more
  }
  return ordered
}

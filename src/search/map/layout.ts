/**
 * Points whose nearness follows a graph: UMAP's layout in its form without powers (t-UMAP, a = b = 1), in flat arrays.
 * umap-js makes the same, but for 60,000 works it takes 3.5 GB and minutes before its first step; this takes seconds.
 */
import type { Graph } from './fuzzy-graph.js'
import { seededRandom } from './random.js'

export interface LayoutOptions {
  /** Two coordinates a point; moved in place. */
  readonly points: Float64Array
  readonly signal?: AbortSignal | undefined
  /** Gets the share that is done. */
  readonly onProgress?: ((share: number) => void) | undefined
}

const epochs = 250
/** Points from which an end of an edge is pushed away each time that it is pulled. */
const pushes = 5
/** No step is longer, however near two points are. */
const maxStep = 4

export async function layOut(graph: Graph, options: LayoutOptions): Promise<void> {
  const { points, signal, onProgress } = options
  const { heads, tails, weights } = graph
  const works = points.length / 2
  const random = seededRandom(5)
  const strongest = weights.reduce((best, weight) => Math.max(best, weight), 0)
  /** Epochs between two pulls of an edge, and when the next is due: each end has its turn. */
  const periods = Float64Array.from(weights, (weight) => strongest / weight / 2)
  const due = Float64Array.from(periods)

  function pull(one: number, other: number, rate: number): void {
    const dx = (points[one] ?? 0) - (points[other] ?? 0)
    const dy = (points[one + 1] ?? 0) - (points[other + 1] ?? 0)
    const force = -2 / (1 + dx * dx + dy * dy)
    const x = clip(force * dx) * rate
    const y = clip(force * dy) * rate
    points[one] = (points[one] ?? 0) + x
    points[one + 1] = (points[one + 1] ?? 0) + y
    points[other] = (points[other] ?? 0) - x
    points[other + 1] = (points[other + 1] ?? 0) - y
  }

  function push(one: number, rate: number): void {
    const other = 2 * Math.floor(random() * works)
    if (other === one) return
    const dx = (points[one] ?? 0) - (points[other] ?? 0)
    const dy = (points[one + 1] ?? 0) - (points[other + 1] ?? 0)
    const square = dx * dx + dy * dy
    const force = 2 / ((0.001 + square) * (1 + square))
    points[one] = (points[one] ?? 0) + clip(force * dx) * rate
    points[one + 1] = (points[one + 1] ?? 0) + clip(force * dy) * rate
  }

  for (let epoch = 1; epoch <= epochs; epoch++) {
    const rate = 1 - epoch / (epochs + 1)
    for (let edge = 0; edge < heads.length; edge++) {
      const period = periods[edge] ?? Infinity
      let next = due[edge] ?? Infinity
      while (next <= epoch) {
        // Every other time from the other end.
        const isTurned = Math.round(next / period) % 2 === 0
        const head = 2 * ((isTurned ? tails[edge] : heads[edge]) ?? 0)
        const tail = 2 * ((isTurned ? heads[edge] : tails[edge]) ?? 0)
        pull(head, tail, rate)
        for (let i = 0; i < pushes; i++) push(head, rate)
        next += period
      }
      due[edge] = next
    }
    if (epoch % 5 !== 0) continue
    onProgress?.(epoch / epochs)
    // Signals arrive between turns of the event loop.
    await new Promise(setImmediate)
    signal?.throwIfAborted()
  }
}

const clip = (step: number) => (step > maxStep ? maxStep : step < -maxStep ? -maxStep : step)

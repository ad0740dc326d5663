/** Which share of the exact results a walk through the engine's graph finds, and what it takes. */
import type { VectorIndex } from '../../native/addon/vector-index.js'

export interface RecallOptions {
  /** Of a number of candidates; undefined: of the scan of all vectors. */
  readonly open: (candidates: number | undefined) => Promise<VectorIndex>
  /** A vector each. */
  readonly queries: readonly Float32Array[]
  readonly candidates: readonly number[]
  /** How many results are compared, in turn. */
  readonly depths: readonly number[]
  readonly signal: AbortSignal
  /** Called after each of the `countSearches` searches. */
  readonly onSearched: () => void
}

export interface Recall {
  readonly candidates: number | undefined
  /** One for each depth. */
  readonly depths: readonly RecallAtDepth[]
}

interface RecallAtDepth {
  /** In the mean of all queries, from 0 to 1. */
  readonly recall: number
  /** Share of queries with nothing missing. */
  readonly whole: number
  readonly medianMs: number
}

export const countSearches = ({
  queries,
  candidates,
  depths,
}: Pick<RecallOptions, 'queries' | 'candidates' | 'depths'>): number =>
  (1 + candidates.length) * depths.length * queries.length

/** The scan comes first. Searches come one after the other, so their times are those of one client. */
export async function measureRecall(options: RecallOptions): Promise<readonly Recall[]> {
  const { open, queries, candidates, depths, signal, onSearched } = options
  const exact = new Map<number, readonly Float32Array[]>()
  const measured: Recall[] = []
  for (const kind of [undefined, ...candidates]) {
    const index = await open(kind)
    const figures: RecallAtDepth[] = []
    try {
      for (const depth of depths) {
        const scores: Float32Array[] = []
        const times: number[] = []
        for (const query of queries) {
          const begunMs = performance.now()
          const found = await index.search(query, 1, depth, { signal })
          times.push(performance.now() - begunMs)
          scores.push(found.scores.slice(0, found.counts[0]))
          onSearched()
        }
        if (kind === undefined) exact.set(depth, scores)
        const shares = scores.map((own, i) => shareOf(own, exact.get(depth)?.[i] ?? own))
        figures.push({
          recall: shares.reduce((sum, share) => sum + share, 0) / shares.length,
          whole: shares.filter((share) => share === 1).length / shares.length,
          medianMs: times.sort((one, other) => one - other)[times.length >> 1] ?? NaN,
        })
      }
    } finally {
      index.close()
    }
    measured.push({ candidates: kind, depths: figures })
  }
  return measured
}

/** Scores are exact in both, and works with the score of the last one are as good as that. */
function shareOf(found: Float32Array, right: Float32Array): number {
  const last = right.at(-1)
  if (last === undefined) return 1
  return found.filter((score) => score >= last).length / right.length
}

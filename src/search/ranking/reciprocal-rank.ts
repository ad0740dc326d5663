/** Reciprocal rank fusion: merges lists by ranks, because their scores are not comparable. */

export interface FusedHit {
  readonly row: number
  /** Sum of 1 / (60 + rank) over the lists that have the row. */
  readonly score: number
}

/** Flattens the weight of the first ranks; the usual value (Cormack, Clarke and Büttcher 2009). */
export const rankOffset = 60

/**
 * The first `limit` by score, then by row.
 * @param lists rows, best first, each row once a list
 */
export function fuseRanks(lists: readonly ArrayLike<number>[], limit: number): FusedHit[] {
  const hits: { row: number; score: number }[] = []
  const byRow = new Map<number, { score: number }>()
  for (const list of lists) {
    for (let position = 0; position < list.length; position += 1) {
      const row = list[position] ?? 0
      const share = 1 / (rankOffset + position + 1)
      const fused = byRow.get(row)
      if (fused !== undefined) {
        fused.score += share
        continue
      }
      const hit = { row, score: share }
      byRow.set(row, hit)
      hits.push(hit)
    }
  }
  hits.sort((one, other) => other.score - one.score || one.row - other.row)
  return hits.slice(0, limit)
}

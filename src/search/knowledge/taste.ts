/** What somebody likes, by works: how like every work is to those that they liked, and unlike those that they did not. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import { yieldToEventLoop } from '../../native/scheduling/yield-to-event-loop.js'

export interface WeightedRow {
  readonly row: number
  readonly weight: number
}

export interface Taste {
  /** One a row: 1 for the work that suits best, 0 and less for those that do not suit. */
  readonly scores: Float32Array
  /** Rows of liked works that a row is most like, the likest first. */
  readonly because: (row: number) => readonly number[]
}

/** More works cost time and add little; those that weigh most are compared. */
const maxLiked = 60
const maxDisliked = 30
/** Being very like one liked work counts more than being a little like many. */
const power = 1.5
/** What being like a disliked work counts, of what being like a liked one does. */
const dislikedShare = 0.5
const maxReasons = 3
/** A liked work explains a result only where it is so like it, of what the likest is. */
const minReason = 0.8

export interface TasteServices {
  readonly facts: Pick<DatasetFacts, 'rowCount'>
  /** How like every row is to a row. */
  readonly likenessTo: (row: number) => Float32Array | Promise<Float32Array>
}

export async function tasteOf(
  { facts: { rowCount }, likenessTo }: TasteServices,
  liked: readonly WeightedRow[],
  disliked: readonly WeightedRow[],
  signal?: AbortSignal,
): Promise<Taste> {
  const likenesses: { readonly row: number; readonly likeness: Float32Array }[] = []
  const sumOf = async (
    works: readonly WeightedRow[],
    onEach?: (row: number, likeness: Float32Array) => void,
  ) => {
    const sums = new Float32Array(rowCount)
    for (const { row, weight } of works) {
      await yieldToEventLoop(signal)
      signal?.throwIfAborted()
      const likeness = await likenessTo(row)
      for (let other = 0; other < rowCount; other += 1) {
        const value = likeness[other] ?? 0
        if (value > 0) sums[other] = (sums[other] ?? 0) + weight * value ** power
      }
      onEach?.(row, likeness)
    }
    const total = works.reduce((sum, { weight }) => sum + weight, 0)
    return total === 0 ? sums : sums.map((sum) => (sum / total) ** (1 / power))
  }
  const scores = await sumOf(heaviest(liked, maxLiked), (row, likeness) =>
    likenesses.push({ row, likeness }),
  )
  if (disliked.length > 0) {
    const unliked = await sumOf(heaviest(disliked, maxDisliked))
    for (let row = 0; row < rowCount; row += 1)
      scores[row] = (scores[row] ?? 0) - dislikedShare * (unliked[row] ?? 0)
  }
  const most = scores.reduce((one, other) => Math.max(one, other), 0)
  return {
    scores: most > 0 ? scores.map((score) => score / most) : scores,
    because(row) {
      const known = likenesses
        .map((one) => ({ row: one.row, value: one.likeness[row] ?? 0 }))
        .sort((one, other) => other.value - one.value)
      const least = minReason * (known[0]?.value ?? 0)
      return known
        .slice(0, maxReasons)
        .filter(({ value }) => value > 0 && value >= least)
        .map((one) => one.row)
    },
  }
}

const heaviest = (works: readonly WeightedRow[], count: number): readonly WeightedRow[] =>
  works.toSorted((one, other) => other.weight - one.weight).slice(0, count)

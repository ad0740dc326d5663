/** What a list of works says of somebody's taste. */
import type { WeightedWork } from './api.js'

type ListStatus = 'CURRENT' | 'PLANNING' | 'COMPLETED' | 'DROPPED' | 'PAUSED' | 'REPEATING'

export interface ListedWork {
  /** The entry of the catalogue. */
  readonly id: number
  readonly status: ListStatus
  /** 1 to 10; null where it is not rated. */
  readonly score: number | null
}

/** More tell no more of a taste than these, and a request takes so many. */
const mostLiked = 100
const mostDisliked = 50
const lowScore = 5

export function tasteOf(list: readonly ListedWork[]): {
  readonly liked: readonly WeightedWork[]
  readonly disliked: readonly WeightedWork[]
} {
  const rated = list.flatMap(({ score }) => score ?? [])
  const mean = rated.reduce((sum, score) => sum + score, 0) / Math.max(1, rated.length)
  const liked: WeightedWork[] = []
  const disliked: WeightedWork[] = []
  for (const { id, status, score } of list) {
    if (status === 'PLANNING') continue
    if (status === 'DROPPED') disliked.push({ id, weight: 1 })
    else if (score === null) {
      // Without any ratings, what somebody finished or watches again is what they like.
      if (rated.length === 0 && status !== 'PAUSED') liked.push({ id, weight: 1 })
    } else if (score >= mean) liked.push({ id, weight: weightOf(score - mean) })
    else if (score <= Math.min(lowScore, mean - 2)) disliked.push({ id, weight: 1 })
  }
  const heaviest = (works: readonly WeightedWork[], most: number) =>
    works.toSorted((one, other) => other.weight - one.weight).slice(0, most)
  return { liked: heaviest(liked, mostLiked), disliked: heaviest(disliked, mostDisliked) }
}

/** Of a score above the mean of the list. */
const weightOf = (above: number): number => Math.min(3, Math.round(10 * (0.3 + above)) / 10)

/** Whether somebody has begun it at least. */
export const isSeen = ({ status }: ListedWork): boolean => status !== 'PLANNING'

/** How alike franchises are by what people recommend to those who liked one. */
import type { FactList } from '../../data/catalogue/fact-lists.js'
import { getOrAdd } from '../../base/util/get-or-add.js'

export interface Recommendations {
  /**
   * One value a franchise, by its number, 0 to 1: how much it is recommended to people who liked the given one. The first
   * names of that one's list have 1; less have its last names, what names it in turn, and what others name with it.
   */
  to(franchise: number): Float32Array
}

type Weighted = Map<number, number>

/** Of a recommendation of weight 1 to 3. */
const degrees = [0, 0.7, 0.85, 1] as const
/** What a franchise counts for people who liked a work that its list names. */
const backShare = 0.7
/** What the cosine of two franchises' neighbours counts: other lists name both. */
const togetherShare = 0.8

/**
 * @param lists each with the key of a franchise as its value, and the rows that recommend it
 * @param numbers of franchises by key
 * @param franchises number of each row's franchise, -1 where unknown
 */
export function createRecommendations(
  lists: readonly FactList[],
  numbers: ReadonlyMap<string, number>,
  franchises: Int32Array,
): Recommendations {
  const neighbours = new Map<number, Weighted>()
  const raise = (from: number, to: number, degree: number) => {
    const known = getOrAdd(neighbours, from, (): Weighted => new Map())
    known.set(to, Math.max(known.get(to) ?? 0, degree))
  }
  for (const { value, rows, weights } of lists) {
    const recommended = numbers.get(value)
    if (recommended === undefined) continue
    rows.forEach((row, at) => {
      const liked = franchises[row] ?? -1
      if (liked < 0 || liked === recommended) return
      const degree = degrees[weights?.[at] ?? 2] ?? 1
      raise(liked, recommended, degree)
      raise(recommended, liked, backShare * degree)
    })
  }
  const lengths = new Map(
    Array.from(neighbours, ([franchise, known]) => [franchise, Math.hypot(...known.values())]),
  )

  function to(franchise: number): Float32Array {
    const found = new Float32Array(numbers.size)
    const own = neighbours.get(franchise)
    if (own === undefined) return found
    for (const [shared, degree] of own) {
      for (const other of neighbours.get(shared)?.keys() ?? []) {
        found[other] = (found[other] ?? 0) + degree * (neighbours.get(other)?.get(shared) ?? 0)
      }
    }
    const length = lengths.get(franchise) ?? 1
    found.forEach((sum, other) => {
      if (sum > 0) found[other] = (togetherShare * sum) / (length * (lengths.get(other) ?? 1))
    })
    for (const [other, direct] of own) {
      found[other] = direct + (1 - direct) * (found[other] ?? 0)
    }
    found[franchise] = 0
    return found
  }
  return { to }
}

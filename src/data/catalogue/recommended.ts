/** What people recommend to those who liked a work, by franchises: from both sides of each recommendation. */
import type { FactList } from './fact-lists.js'

/** A franchise that is recommended to those who liked another. */
export interface Neighbour {
  readonly franchise: number
  /** How much it is recommended, 0 to 1, and how much the other is to those who liked this one. */
  readonly degree: number
  readonly back: number
}

/** Of a recommendation of weight 1 to 3. */
const degrees = [0, 0.7, 0.85, 1] as const
/** What a franchise counts for people who liked a work that its list names. */
const backShare = 0.7

/**
 * The neighbours of each franchise, by its number.
 * @param franchises number of each row's franchise, -1 where unknown
 */
export function neighboursOf(
  lists: readonly FactList[],
  franchises: Int32Array,
): readonly (readonly Neighbour[])[] {
  const numbers = new Map(
    lists.filter(({ kind }) => kind === 'franchise').map(({ value }, number) => [value, number]),
  )
  const known = Array.from(numbers, () => new Map<number, number>())
  const raise = (from: number, to: number, degree: number) => {
    const own = known[from]
    own?.set(to, Math.max(own.get(to) ?? 0, degree))
  }
  for (const { kind, value, rows, weights } of lists) {
    const recommended = kind === 'recommended' ? numbers.get(value) : undefined
    if (recommended === undefined) continue
    rows.forEach((row, at) => {
      const liked = franchises[row] ?? -1
      if (liked < 0 || liked === recommended) return
      const degree = degrees[weights?.[at] ?? 2] ?? 1
      raise(liked, recommended, degree)
      raise(recommended, liked, backShare * degree)
    })
  }
  return known.map((own, liked) =>
    Array.from(own, ([franchise, degree]) => ({
      franchise,
      degree,
      back: known[franchise]?.get(liked) ?? 0,
    })),
  )
}

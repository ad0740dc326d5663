/** How alike franchises are by what people recommend to those who liked one. */
import type { RowFacts } from '../../data/catalogue/row-facts.js'

export interface Recommendations {
  /**
   * One value a franchise, by its number, 0 to 1: how much it is recommended to people who liked the given one. The first
   * names of that one's list have 1; less have its last names, what names it in turn, and what others name with it.
   */
  to(franchise: number): Float32Array
}

/** What the cosine of two franchises' neighbours counts: other lists name both. */
const togetherShare = 0.8

export function createRecommendations(stored: RowFacts['recommended']): Recommendations {
  const { ends, franchises, degrees, back, norms } = stored
  const begin = (franchise: number) => ends[franchise - 1] ?? 0
  const end = (franchise: number) => ends[franchise] ?? 0
  return {
    to(franchise) {
      const found = new Float32Array(ends.length)
      if (end(franchise) === begin(franchise)) return found
      for (let own = begin(franchise); own < end(franchise); own += 1) {
        const shared = franchises[own] ?? 0
        for (let at = begin(shared); at < end(shared); at += 1) {
          const other = franchises[at] ?? 0
          found[other] = (found[other] ?? 0) + (degrees[own] ?? 0) * (back[at] ?? 0)
        }
      }
      const norm = norms[franchise] ?? 1
      found.forEach((sum, other) => {
        if (sum > 0) found[other] = (togetherShare * sum) / (norm * (norms[other] ?? 1))
      })
      for (let own = begin(franchise); own < end(franchise); own += 1) {
        const other = franchises[own] ?? 0
        const direct = degrees[own] ?? 0
        found[other] = direct + (1 - direct) * (found[other] ?? 0)
      }
      found[franchise] = 0
      return found
    },
  }
}

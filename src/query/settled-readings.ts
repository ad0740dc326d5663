/** What is decided where all readings of a query are known. */
import { withAlternatives } from './alternatives.js'
import { withoutExcluded } from './excluded-title.js'
import type { Reading } from './interpretation.js'
import { withLengthsOfFilms } from './lengths.js'
import { type ReadQuery, withLikedThoughExcluded } from './liked-though-excluded.js'

/** The readings in the order of the query, without those that others exclude. */
export function settled(
  asked: ReadQuery & { readonly query: string },
  readings: readonly Reading[],
): readonly Reading[] {
  const { query, isWish } = asked
  const kept = withoutExcluded(withLikedThoughExcluded(asked, readings), isWish)
  const inOrder = withLengthsOfFilms(kept).toSorted((one, other) => one.begin - other.begin)
  return withAlternatives(query, inOrder)
}

/** What is decided where all readings of a query are known. */
import { withAlternatives } from './alternatives.js'
import { withoutExcluded } from './excluded-title.js'
import type { Reading } from './interpretation.js'
import { withLengthsOfFilms } from './lengths.js'

/** The readings in the order of the query, without those that others exclude. */
export const settled = (
  query: string,
  readings: readonly Reading[],
  isWish: boolean,
): readonly Reading[] =>
  withAlternatives(
    query,
    withLengthsOfFilms(withoutExcluded(readings, isWish)).toSorted(
      (one, other) => one.begin - other.begin,
    ),
  )

/** What the readings of a query are once all of them are known. */
import { withoutExcluded } from './excluded-title.js'
import type { Reading } from './interpretation.js'
import { withLengthsOfFilms } from './lengths.js'
import { type ReadQuery, withLikedThoughExcluded } from './liked-though-excluded.js'

/** In the order of the query. */
export const settled = (asked: ReadQuery, readings: readonly Reading[]): readonly Reading[] =>
  withLengthsOfFilms(
    withoutExcluded(withLikedThoughExcluded(asked, readings), asked.isWish),
  ).toSorted((one, other) => one.begin - other.begin)

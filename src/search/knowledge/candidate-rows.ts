/** The rows that fit the readings of a query: the ranker sees them even where no text of theirs is near. */
import { topHits } from '../../data/lexical/top-hits.js'
import type { RowMask } from '../../base/util/row-mask.js'
import type { QueryFit } from './query-fit.js'

/** A work that fulfils less is no candidate by its facts alone. */
const minFulfilled = 0.3
const minSimilar = 0.1

/**
 * What an e-fold of popularity, a work that is not the main one of its franchise, and what is excluded count next to a request
 * that is wholly fulfilled: as much as the ranker gives them. Hundreds of works have a requested genre wholly, and the
 * best known of them are first in the end.
 */
const popularityWeight = 0.04
const notMainWeight = 0.12
const brokenWeight = 0.67

/** How much of the works that are like a named one and of a further request counts, in `X but Y`. */
const requestShare = 0.5

/**
 * At most `count` rows, each once: titles first, then by turns works that fulfil requests and works that are like
 * those named. Of `X but Y`, those that are both come before those that are most of one.
 */
export function candidateRows(
  fit: QueryFit,
  count: number,
  mask: RowMask | undefined,
): readonly number[] {
  const { titleScores, requestScores, likenessScores, hasReferences, requests } = fit
  const titles = topHits(titleScores, count, { above: 0, mask })
  if (hasReferences && requests.length > 0) {
    const both = likeAndRequested(likenessScores, requestScores)
    const rows = [...titles, ...topHits(both, count, { above: 0, mask })].map(({ row }) => row)
    return [...new Set(rows)].slice(0, count)
  }
  const requested = topHits(requestedFitOf(fit), count, { above: 0, mask })
  const alike = topHits(likenessScores, count, { above: minSimilar, mask })
  const byTurns = Array.from({ length: count }, (_, rank) => [requested[rank], alike[rank]]).flat()
  const rows = [...titles, ...byTurns].flatMap((hit) => (hit === undefined ? [] : [hit.row]))
  return [...new Set(rows)].slice(0, count)
}

/** One a row; those that are no candidates have 0 or less. */
function requestedFitOf(fit: QueryFit): Float32Array {
  const { requestScores, exclusionScores, requests, popularity, isMain, hasReferences, hasText } =
    fit
  const scores = new Float32Array(requestScores.length)
  // A query that only excludes takes any other work, also where no work has what it excludes.
  const takesAny = requests.length === 0 && !hasReferences && !hasText
  if (requests.length === 0 && !takesAny) return scores
  for (let row = 0; row < scores.length; row += 1) {
    const fulfils = requestScores[row] ?? 0
    if (!takesAny && fulfils <= minFulfilled) continue
    const known = popularity[row] ?? NaN
    scores[row] =
      fulfils +
      (Number.isNaN(known) ? 0 : popularityWeight * known) -
      (isMain[row] === 1 ? 0 : notMainWeight) -
      brokenWeight * (exclusionScores[row] ?? 0)
  }
  return scores
}

function likeAndRequested(likeness: Float32Array, requested: Float32Array): Float32Array {
  const both = new Float32Array(likeness.length)
  for (let row = 0; row < both.length; row += 1) {
    const value = likeness[row] ?? 0
    if (value > minSimilar) both[row] = value + requestShare * (requested[row] ?? 0)
  }
  return both
}

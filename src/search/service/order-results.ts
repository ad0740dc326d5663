/** Another order of results than how well they fit: by year, rating or popularity, of those that fit at all. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import type { RankedRows } from '../ranking/ranker.js'
import type { RankedHit } from './ranked-results.js'
import type { ResultOrder } from './ranked-search.js'

/** A later work is among the candidates, but hardly what is wanted. */
const maxSorted = 60
/** So many are sorted in any case; others only with such a share of the fit of the best. */
const minSorted = 10
const minShare = 0.4

/** @param hits the best first, and so are those of equal value */
export function inOrder(
  hits: readonly RankedHit[],
  order: ResultOrder,
  { scores, toProbability }: Pick<RankedRows, 'scores' | 'toProbability'>,
  { years, scores: ratings, popularity }: Pick<DatasetFacts, 'years' | 'scores' | 'popularity'>,
): readonly RankedHit[] {
  if (order === 'fit') return hits
  const fitOf = ({ scoredAs }: RankedHit) => toProbability(scores[scoredAs] ?? 0)
  const [first] = hits
  const least = first === undefined ? 0 : minShare * fitOf(first)
  const fitting = hits
    .slice(0, maxSorted)
    .filter((hit, position) => position < minSorted || fitOf(hit) >= least)
  const values = { year: years, rating: ratings, popularity }[order]
  // What is not known comes last; a year of 0 is not known.
  const valueOf = ({ row }: RankedHit) => {
    const value = values[row] ?? NaN
    return value > 0 || order === 'popularity' ? orLast(value) : -Infinity
  }
  return fitting.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)]
    return a === b ? 0 : b - a
  })
}

const orLast = (value: number): number => (Number.isNaN(value) ? -Infinity : value)

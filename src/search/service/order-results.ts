/** Another order of results than how well they fit: by year, rating, popularity or numbers of the user's own, of those that fit at all. */
import { compareRows } from '../browse/entry-order.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
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
  known: Pick<DatasetKnowledge, 'facts' | 'own'>,
): readonly RankedHit[] {
  if (order.by === 'fit') return hits
  const compare = compareRows(order, known)
  const fitOf = ({ scoredAs }: RankedHit) => toProbability(scores[scoredAs] ?? 0)
  const [first] = hits
  const least = first === undefined ? 0 : minShare * fitOf(first)
  const fitting = hits
    .slice(0, maxSorted)
    .filter((hit, position) => position < minSorted || fitOf(hit) >= least)
  return fitting.toSorted((one, other) => compare(one.row, other.row))
}

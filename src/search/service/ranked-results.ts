/** The order of a ranked search cut into results: grouped by franchise, paged, with texts and reasons. */
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { ListStatuses } from '../../data/anilist/user-lists.js'
import type { DatasetFacts } from '../facts/dataset-facts.js'
import type { QueryFit } from '../knowledge/query-fit.js'
import type { Span } from '../reader/interpretation.js'
import { topHits } from '../../data/lexical/top-hits.js'
import type { RankedRows } from '../ranking/ranker.js'
import { passes, type RowMask } from '../../base/util/row-mask.js'
import type { RankedResult, ResultExplanation } from './ranked-search.js'
import { resultTexts, type ResultTexts } from './shown-texts.js'

/** A ranked row, and the others of its franchise where results are grouped. */
export interface RankedHit {
  /** In the ranking. */
  readonly position: number
  /** The position whose score it has: that of the best work of its franchise. */
  readonly scoredAs: number
  readonly row: number
  readonly franchiseRows?: readonly number[]
}

/** The rows by score, ties by row. */
export function orderedHits(rows: Uint32Array, { scores }: RankedRows): readonly RankedHit[] {
  return topHits(scores, rows.length).map(({ row: position }) => {
    return { position, scoredAs: position, row: rows[position] ?? 0 }
  })
}

/**
 * One hit of each franchise, with the rows of the others of its franchise, oldest first. The best hit represents its
 * franchise, unless another has more of the requested facts.
 * @param mask rows that may be shown; all if undefined
 */
export function groupByFranchise(
  hits: readonly RankedHit[],
  {
    franchises,
    franchiseMembers,
    years,
  }: Pick<DatasetFacts, 'franchises' | 'franchiseMembers' | 'years'>,
  mask: RowMask | undefined,
  fit?: QueryFit,
): readonly RankedHit[] {
  const metOf = metBy(fit)
  const known = new Set<number>()
  const fittest = new Map<number, RankedHit>()
  const firsts = hits.filter((hit) => {
    const franchise = franchises[hit.row] ?? -1
    if (franchise < 0) return true
    const best = fittest.get(franchise)
    if (best === undefined || metOf(hit.position) > metOf(best.position))
      fittest.set(franchise, hit)
    if (known.has(franchise)) return false
    known.add(franchise)
    return true
  })
  const groups = firsts.map((hit) => {
    const { position, row } = fittest.get(franchises[hit.row] ?? -1) ?? hit
    return { position, row, scoredAs: hit.position }
  })
  // A work of unknown year is last.
  const yearOf = (row: number) => (years[row] === 0 ? Infinity : (years[row] ?? Infinity))
  const inOrder = (one: number, other: number) => yearOf(one) - yearOf(other) || one - other
  return groups.map((hit) => {
    const franchise = franchises[hit.row] ?? -1
    const members = franchise < 0 ? [] : [...franchiseMembers(franchise)]
    const others = members.filter(
      (row) => row !== hit.row && (mask === undefined || passes(mask, row)),
    )
    return { ...hit, franchiseRows: others.sort(inOrder) }
  })
}

/** How many requested facts a candidate has, as its explanation counts them; fewer than none where it has an excluded one. */
function metBy(fit: QueryFit | undefined): (position: number) => number {
  if (fit === undefined) return () => 0
  return (position) =>
    (fit.exclusionScores[position] ?? 0) > 0
      ? -1
      : fit.requests.filter((request) => isMet(request, position)).length
}

/** A result whose other text that matches is whole yet. */
export type WholeResult = Omit<RankedResult, 'matched'> & ResultTexts

export function resultsOf(
  catalogue: Pick<Catalogue, 'entry' | 'text'>,
  dataset: DatasetInfo,
  hits: readonly RankedHit[],
  { scores, columns: bestColumns, toProbability }: RankedRows,
  userLists: ListStatuses | undefined,
  popularityRank: (row: number) => number | null,
): WholeResult[] {
  const entryOf = (row: number) => catalogue.entry(dataset.name, row)
  return hits.map(({ position, scoredAs, row, franchiseRows }) => {
    const entry = entryOf(row)
    return {
      id: entry.id,
      title: entry.title,
      score: toProbability(scores[scoredAs] ?? 0),
      popularityRank: popularityRank(row),
      ...resultTexts(catalogue, dataset, row, bestColumns[position]),
      entry,
      ...(userLists && { listStatus: userLists.statuses.get(row) ?? null }),
      ...(franchiseRows && { franchiseEntries: franchiseRows.map(entryOf) }),
    }
  })
}

/** A requested fact is met from this degree on: a weak one of several tags is enough. */
const minDegree = 0.45
const isMet = ({ degrees }: QueryFit['requests'][number], position: number): boolean =>
  (degrees[position] ?? 0) >= minDegree

/** Why each hit is a result. */
export function explain(
  { hits, words }: ExplainRequest,
  { textScores, toProbability }: RankedRows,
  fit: QueryFit | undefined,
): readonly ResultExplanation[] {
  return hits.map(({ position }, rank) => ({
    text: toProbability(textScores[position] ?? 0),
    title: fit?.titleScores[position] ?? 0,
    fulfilled: fit?.requestScores[position] ?? 0,
    // Recommendations, the year and popularity add to it.
    similar: Math.min(1, fit?.likenessScores[position] ?? 0),
    broken: fit?.exclusionScores[position] ?? 0,
    words: words[rank] ?? [],
    ...factsOf(fit?.requests ?? [], position),
  }))
}

/** Each once, though the query says it twice. */
function factsOf(requests: QueryFit['requests'], position: number) {
  const labelsOf = (some: QueryFit['requests']) => [...new Set(some.map(({ label }) => label))]
  const facts = labelsOf(requests.filter((request) => isMet(request, position)))
  const missing = labelsOf(requests.filter((request) => !isMet(request, position)))
  return { facts, missing: missing.filter((label) => !facts.includes(label)) }
}

export interface ExplainRequest {
  readonly hits: readonly RankedHit[]
  /** Of the synopsis that each hit shows. */
  readonly words: readonly (readonly Span[])[]
}

/** What a lookup returns, and its order. */
import type { Popularity } from './best-titles.js'
import { titleKinds, type TitleKind } from './title.js'

/**
 * exact: the same title in any spelling, and the same season. prefix: the title begins with the query.
 * words: the title has all words of the query. fuzzy: with typos, or the title is only part of the query.
 */
const matchQualities = ['exact', 'prefix', 'words', 'fuzzy'] as const
export type MatchQuality = (typeof matchQualities)[number]

export interface Likeness {
  readonly quality: MatchQuality
  /** Share of the query's characters that the title explains. */
  readonly queryCoverage: number
  /** Share of the title's characters that the query names. */
  readonly titleCoverage: number
  /** 1 is the title to the letter. */
  readonly similarity: number
}

export interface TitleMatch extends Likeness {
  readonly row: number
  readonly title: string
  readonly kind: TitleKind
}

/** Which of two matches comes first. */
export type MatchOrder = (one: TitleMatch, other: TitleMatch) => number

/**
 * One match of each row, in that order. Where there are too many, a quarter of them may be fuzzy, or a
 * typo that makes a common beginning would hide the right title.
 */
export function bestMatches(
  matches: readonly TitleMatch[],
  limit: number,
  order: MatchOrder,
): TitleMatch[] {
  const all = firstOfRows(matches.toSorted(order))
  if (all.length <= limit) return all
  const first = all.slice(0, limit)
  const reserved = Math.ceil(limit / 4) - first.filter(isFuzzy).length
  const hidden = all.slice(limit).filter(isFuzzy).slice(0, Math.max(0, reserved))
  const exact = first.filter(({ quality }) => quality === 'exact').length
  const shownCount = Math.max(exact, limit - hidden.length)
  return [...first.slice(0, shownCount), ...hidden.slice(0, limit - shownCount)]
}

function isFuzzy({ quality }: TitleMatch): boolean {
  return quality === 'fuzzy'
}

function firstOfRows(matches: readonly TitleMatch[]): TitleMatch[] {
  const rows = new Map<number, TitleMatch>()
  for (const match of matches) {
    if (!rows.has(match.row)) rows.set(match.row, match)
  }
  return [...rows.values()]
}

export function byQuality(one: TitleMatch, other: TitleMatch): number {
  return matchQualities.indexOf(one.quality) - matchQualities.indexOf(other.quality)
}

export function bySimilarity(one: TitleMatch, other: TitleMatch): number {
  return (
    other.similarity - one.similarity ||
    titleKinds.indexOf(one.kind) - titleKinds.indexOf(other.kind)
  )
}

/** The more popular row first, where popularity is known, then the lower one. */
export function byRow(popularity?: Popularity): MatchOrder {
  const popularityOf = ({ row }: TitleMatch) => {
    const known = popularity?.[row] ?? Number.NaN
    return Number.isNaN(known) ? -Number.MAX_VALUE : known
  }
  return (one, other) => popularityOf(other) - popularityOf(one) || one.row - other.row
}

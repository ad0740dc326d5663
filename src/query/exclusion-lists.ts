/** How several things are excluded at once: `no harem ecchi or isekai`, `without levels, skills or menus`. */
import { isFillerToEnd, turnOrJoin } from './clause-end.js'
import { spelt } from './excluded-title.js'
import type { TitleLookup } from './interpretation.js'
import type { Negatable, Negation } from './negation.js'

type Listing = Negatable & {
  readonly titles: Pick<TitleLookup, 'exact' | 'match' | 'known' | 'heads' | 'withWords'>
}

export interface Saying {
  readonly kind: Negation['kind']
  /** Whether the negation begins a clause of its own. */
  readonly isClause: boolean
  /** Whether it excludes what works are about, of which several may follow: `no harem ecchi or isekai`. */
  readonly isSubject: boolean
}

const maxExcludedWords = 2

/** Where the next of several begins: after `or` and the like, or in a list that has an `or` later, or names works that are known. */
export function nextOfList(asked: Listing, end: number, saying: Saying): number | undefined {
  const { words, tables } = asked
  const join = tables.joins.longestAt(words, end)
  if (join !== undefined && (words[end - 1]?.endsClause !== true || isOr(asked, end))) {
    return end + join.length
  }
  const isNext =
    saying.kind === 'seen' ? spelt(asked, end) !== undefined : runsToOr(asked, end, saying)
  return isNext ? end : undefined
}

export const isOr = ({ words }: Listing, position: number): boolean =>
  words[position]?.folded === 'or' || words[position]?.folded === 'nor'

export const isSubjectAt = ({ factAt }: Listing, position: number): boolean => {
  const { fact } = factAt(position) ?? {}
  return fact?.kind === 'topic' && fact.isSubject === true
}

/** `no ecchi, harem or isekai`; titles and subjects need no comma: `not one piece naruto or bleach`. */
function runsToOr(asked: Listing, from: number, { isSubject }: Saying): boolean {
  const { query, words, isWish, factAt } = asked
  if (!isWish) return false
  for (let at = from; at < words.length;) {
    if (isOr(asked, at)) return at > from
    const isAfterComma = /^\s*,/.test(query.slice(words[at - 1]?.end))
    const title = spelt(asked, at)
    if (!isAfterComma && title === undefined && !(isSubject && isSubjectAt(asked, at))) return false
    const end = Math.max(title?.end ?? 0, at + (factAt(at)?.length ?? 0))
    const known = end > at ? end : endOfUnknown(asked, at)
    if (known === at) return false
    at = known
  }
  return false
}

/** The end of words of a list that nothing else is read from: `skills` of `no levels, skills or menus`. */
function endOfUnknown(asked: Listing, from: number): number {
  const { words, tables, factAt } = asked
  const end = endOfWords(asked, from) ?? from
  const isKnown = (position: number) =>
    factAt(position) !== undefined || tables.filler.longestAt(words, position) !== undefined
  return words.slice(from, end).some((_, offset) => isKnown(from + offset)) ? from : end
}

/** The end of the few words that stand up to the next clause, turn or exclusion. */
export function endOfWords(asked: Listing, from: number): number | undefined {
  const { words, tables } = asked
  const turnsAt = (position: number) =>
    turnOrJoin(asked, position) ?? tables.negations.longestAt(words, position)
  let end = from
  while (end < words.length && end - from < maxExcludedWords) {
    if (turnsAt(end) !== undefined || (end > from && isFillerToEnd(asked, end))) break
    end += 1
    if (words[end - 1]?.endsClause) break
  }
  // `a detective without memory solves crimes` excludes nothing: what is excluded ends its clause.
  const endsThere = isFillerToEnd(asked, end)
  return end > from && (endsThere || turnsAt(end) !== undefined) ? end : undefined
}

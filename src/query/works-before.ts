/** Works that are named by what stands behind them: `a Naruto like anime`, `naruto vibes`, `X meets Y`. */
import { maxListWords } from './known-works.js'
import { isMaker } from './named-makers.js'
import { type NamedWork, withEnd } from './named-works.js'
import type { ReferenceQuery } from './reference-query.js'
import { isPartOfFiller } from './rest-of-query.js'
import { isDenied } from './seen-works.js'
import { isSomebodyAt } from './somebody.js'

/** The works before a word that says that they are examples. */
export function worksBefore(
  asked: ReferenceQuery,
  position: number,
): readonly NamedWork[] | undefined {
  const { words, tables, titles, isWish, named, known } = asked
  if (!isWish) return undefined
  // `love is like` says what love is.
  const isSaid = /^(?:is|are|was|were)$/.test(words[position - 1]?.folded ?? '')
  const suffix = isSaid ? undefined : tables.likeSuffixes.longestAt(words, position)
  const cross = crossedAt(asked, position)
  if (suffix === undefined) return cross
  const end = position + suffix.length
  if (words[position]?.folded === 'like' && isSomebodyAt(words, end, tables)) return cross
  for (let begin = Math.max(0, position - maxListWords); begin < position; begin += 1) {
    if (isInPhrase(asked, begin)) continue
    const exact = named.titleOf(begin, position, titles.exact)
    const isNegation = tables.negations.longestAt(words, begin) !== undefined
    // `trigger style` is that of a studio, and no World Trigger.
    const isOther = isNegation || tables.facts.longestAt(words, begin)?.values.every(isMaker)
    const works = exact ? [exact] : isOther ? undefined : known.listOf(begin, position)
    // `no naruto clones` wants none.
    if (works !== undefined) return isDenied(words, begin, tables) ? cross : withEnd(works, end)
  }
  // Of `konosuba like` nothing else is left.
  const isAll = words[position]?.folded === 'like' && end === words.length
  const match = isAll ? named.titleOf(0, position) : undefined
  return match && [{ ...match, end }]
}

/** The `academia` of `dark academia vibes`. */
function isInPhrase({ words, tables }: ReferenceQuery, begin: number): boolean {
  const isOfFact = [1, 2, 3].some((back) => tables.factLength(begin - back) > back)
  return isOfFact || isPartOfFiller(words, begin, 1, tables.filler)
}

/** `X meets Y` */
function crossedAt(
  { words, tables, known }: ReferenceQuery,
  position: number,
): readonly NamedWork[] | undefined {
  const cross = tables.crosses.longestAt(words, position)
  const works = cross && known.listOf(0, position)
  const other = works && known.at(position + cross.length)
  return other && [...works, other]
}

/** The rest of a phrase of which the first words are excluded: the clubs of `no high school clubs` are not wished. */
import { isFillerToEnd, turnOrJoin } from './clause-end.js'
import type { FactHit, Negatable } from './negation.js'
import { articles } from './small-words.js'

type Phrase = Pick<Negatable, 'words' | 'tables' | 'factAt'>

/** Returns the word that follows the phrase of which a subject stands before `end`. */
export function endOfPhrase(asked: Phrase, from: number, end: number): number {
  const { words, tables, factAt } = asked
  if (words[end - 1]?.endsClause !== false) return end
  const head = tables.excludedHeads.longestAt(words, end)?.length ?? 0
  const hit = factAt(end)
  // `no gore kids movie` is for kids, and `no school kids` wants none.
  const isWish = hit !== undefined && !isFillerToEnd(asked, end + hit.length)
  if (head > 0 && head >= (hit?.length ?? 0) && !isWish) return endOfPlace(asked, end, end + head)
  return endOfPlace(asked, from, end)
}

/** `no teens in robots` wants no robots, where `no romance in space` wants space. */
function endOfPlace({ words, tables, factAt }: Phrase, from: number, end: number): number {
  const arePeople = tables.bearers.longestAt(words, from)?.length === end - from
  if (!arePeople || words[end]?.folded !== 'in' || words[end - 1]?.endsClause !== false) return end
  const at = end + (articles.has(words[end + 1]?.folded ?? '') ? 2 : 1)
  const { length, fact } = factAt(at) ?? {}
  return length !== undefined && fact?.kind === 'topic' ? at + length : end
}

/** Who wants no school romance may want another. */
const headShare = 0.5

/** The genre of which an excluded word before `end` tells the kind: the romance of `no school romance`. */
export function headOf(asked: Phrase, from: number, end: number): FactHit | undefined {
  const { words, tables, factAt } = asked
  const isKind = tables.kindsOfHeads.longestAt(words, from)?.length === end - from
  const hit = factAt(end)
  if (!isKind || words[end - 1]?.endsClause !== false || hit?.fact.kind !== 'topic')
    return undefined
  const next = end + hit.length
  const isHead = turnOrJoin(asked, next) !== undefined || isFillerToEnd(asked, next)
  const isGenre = tables.headsOfKinds.longestAt(words, end)?.length === hit.length
  // `workplace romance no school romance` wishes for romance.
  const { genres } = hit.fact
  const isWished = words.slice(0, from).some((_, at) => {
    const { fact } = tables.facts.longestAt(words, at)?.values[0] ?? {}
    return fact?.kind === 'topic' && fact.genres.some((genre) => genres.includes(genre))
  })
  const isExcluded = isHead && isGenre && !isWished
  return isExcluded ? { ...hit, confidence: hit.confidence * headShare } : undefined
}

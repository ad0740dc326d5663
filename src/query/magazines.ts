/** Where a manga ran: `jump manga about sports`, `serialized in afternoon`, `webtoon on naver`. */
import type { Fact } from './interpretation.js'
import type { FactHit } from './negation.js'
import type { QueryTables } from './query-tables.js'
import { type QueryWord, stemOf } from './query-words.js'

/** What runs in a magazine. */
const runs = new Set(
  'manga mangas comic manhwa manhua webtoon anime series serie title work story'
    .split(' ')
    .map(stemOf),
)
const anyOfThem = new Set('something anything stuff one ones'.split(' '))
const prepositions = new Set('in from on by'.split(' '))
/** What may follow, beside a fact: `manga in afternoon about space`. */
const followers = new Set('about with that which where who set please'.split(' '))
/** Between what runs and where: `a manga that was serialized in jump`. */
const relatives = new Set('that which was is has been'.split(' '))

type Tables = Pick<
  QueryTables,
  'facts' | 'filler' | 'joins' | 'magazines' | 'magazineLeads' | 'negations' | 'turns'
>

/**
 * A magazine with a name that also is something else, where what stands around it says that it is one. A name that nobody
 * says alone stands behind what runs in it, or begins the query: `manga in kiss`, `from flowers`.
 * @param known how many words are read as another fact
 */
export function magazineAt(
  words: readonly QueryWord[],
  position: number,
  known: number,
  isWish: boolean,
  tables: Tables,
): FactHit | undefined {
  const hit = tables.magazines.longestAt(words, position)
  if (hit === undefined || hit.length < known) return undefined
  const { phrase, isUsual } = hit.values[0] ?? {}
  const isSpelt = phrase?.spelt === undefined || phrase.spelt === words[position]?.folded
  if (phrase === undefined || isUsual === undefined || !isSpelt) return undefined
  const { fact, label } = phrase
  const told = { length: hit.length, fact, label }
  const end = position + hit.length
  if (isTold(words, position, end, { isUsual, isWish, tables })) return { ...told, confidence: 0.9 }
  const isBeforeWork = isUsual && isWish && known === 0 && isBeforeRun(words, position, end, tables)
  return isBeforeWork ? { ...told, confidence: 0.7, isInTexts: true } : undefined
}

interface Asked {
  readonly isUsual: boolean
  readonly isWish: boolean
  readonly tables: Tables
}

function isTold(
  words: readonly QueryWord[],
  position: number,
  end: number,
  { isUsual, isWish, tables }: Asked,
): boolean {
  const lead = tables.magazineLeads.lengthBefore(words, position)
  if (lead > 0) return isWish || (isUsual && isSaidOfRun(words, position - lead))
  if (!isWish || !isFollowed(words, end, tables)) return false
  const negation = tables.negations.lengthBefore(words, position)
  if (negation > 0) return isUsual
  if (!prepositions.has(words[position - 1]?.folded ?? '')) return false
  return isUsual || position === 1 || isRunBefore(words, position - 1, tables)
}

/** In a told story somebody runs in the morning, where `a manga that ran in jump` ran. */
function isSaidOfRun(words: readonly QueryWord[], begin: number): boolean {
  let at = begin - 1
  while (relatives.has(words[at]?.folded ?? '')) at -= 1
  return runs.has(words[at]?.stem ?? '')
}

const isRunBefore = (words: readonly QueryWord[], end: number, tables: Tables): boolean =>
  runs.has(words[end - 1]?.stem ?? '') ||
  anyOfThem.has(words[end - 1]?.folded ?? '') ||
  tables.negations.lengthBefore(words, end) > 0 ||
  isAudienceAt(words, end - 1, tables)

/** Whether nothing follows, or what is no part of the name: `from morning to night` names none. */
function isFollowed(words: readonly QueryWord[], end: number, tables: Tables): boolean {
  const next = words[end]
  if (next === undefined || words[end - 1]?.endsClause === true) return true
  const { facts, joins, negations, turns } = tables
  return (
    followers.has(next.folded) ||
    runs.has(next.stem) ||
    [facts, joins, negations, turns].some((table) => table.longestAt(words, end) !== undefined)
  )
}

/** `jump manga`, `morning seinen`, or nothing else; but the jump of `ski jump manga` is none. */
function isBeforeRun(
  words: readonly QueryWord[],
  position: number,
  end: number,
  tables: Tables,
): boolean {
  const isFree =
    position === 0 ||
    words[position - 1]?.endsClause === true ||
    [tables.facts, tables.filler, tables.joins, tables.negations, tables.turns].some(
      (table) => table.lengthBefore(words, position) > 0,
    )
  const isAll = position === 0 && end === words.length
  return isAll || (isFree && (runs.has(words[end]?.stem ?? '') || isAudienceAt(words, end, tables)))
}

const isAudienceAt = (words: readonly QueryWord[], position: number, { facts }: Tables): boolean =>
  facts.longestAt(words, position)?.values.some(({ fact }) => fact.kind === 'audience') ?? false

/** How many words before a magazine say no more than that it is one. */
export const leadBefore = (
  { kind }: Fact,
  words: readonly QueryWord[],
  begin: number,
  { magazineLeads }: Pick<Tables, 'magazineLeads'>,
): number => (kind === 'magazine' ? magazineLeads.lengthBefore(words, begin) : 0)

/** Facts that are not wished for what is said of them: `torture was too much`, `plot over fights`, `nobody dies`. */
import type { Fact } from './interpretation.js'
import type { FactHit } from './negation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'

interface RefusingQuery {
  readonly words: readonly QueryWord[]
  readonly isWish: boolean
  readonly tables: Pick<
    QueryTables,
    'facts' | 'tooMuch' | 'otherMakers' | 'weighed' | 'seen' | 'wordLists'
  >
}

export interface RefusedFact {
  /** Where the words that refuse it begin, if before it. */
  readonly begin: number
  readonly hit: FactHit
}

/** The fact at a word, where it is refused. */
export function refusedAt(
  asked: RefusingQuery,
  position: number,
  hit: FactHit,
): RefusedFact | undefined {
  const { words, tables, isWish } = asked
  const isRefused = makers.has(hit.fact.kind) && isOfOthers(asked, position)
  if (hit.isLacking === true || isRefused) return { begin: position, hit }
  if (!isWish) return undefined
  const known = knownWith(asked, position, hit)
  if (known !== undefined) return known
  const said = tables.tooMuch.longestAt(words, position + hit.length)
  if (said !== undefined)
    return { begin: position, hit: { ...hit, length: hit.length + said.length } }
  if (hit.fact.kind !== 'topic' || !isOutweighed(asked, position)) return undefined
  return { begin: position - 1, hit: { ...hit, confidence: hit.confidence * outweighedShare } }
}

/** So many clauses may end between a maker and what is said of them. */
const maxClauseEnds = 1
const makers = new Set<Fact['kind']>(['person', 'studio'])

/** Whether others are wished than who is named at a word: `Junji Ito fan here, something scary but by different authors`. */
export function isOfOthers(
  {
    words,
    tables,
  }: { readonly words: readonly QueryWord[]; readonly tables: Pick<QueryTables, 'otherMakers'> },
  position: number,
): boolean {
  return words.some((_, at) => {
    const length = at > position ? tables.otherMakers.longestAt(words, at)?.length : undefined
    if (length === undefined || words[at + length]?.folded === 'than') return false
    // Later on, `not by him` tells of somebody else.
    return words.slice(position, at).filter(({ endsClause }) => endsClause).length <= maxClauseEnds
  })
}

/** `finished junji ito already`, with what is said of him. */
function knownWith(
  { words, tables }: RefusingQuery,
  position: number,
  hit: FactHit,
): RefusedFact | undefined {
  const end = position + hit.length
  if (hit.fact.kind !== 'person' || words[end]?.folded !== 'already') return undefined
  if (words[end - 1]?.endsClause) return undefined
  const said = tables.seen.lengthBefore(words, position)
  if (said === 0) return undefined
  return { begin: position - said, hit: { ...hit, length: hit.length + 1 } }
}

/** Who wants plot over fights may have some. */
const outweighedShare = 0.5
const maxWeighedWords = 3

/** Whether `over` stands before a word, and something that is wished more before that. */
function isOutweighed({ words, tables }: RefusingQuery, position: number): boolean {
  const over = position - 1
  const before = words[over - 1]
  if (words[over]?.folded !== 'over' || before === undefined || before.endsClause) return false
  // `war over water`
  if (tables.wordLists.disputes.has(before.stem)) return false
  return Array.from({ length: maxWeighedWords }, (_, more) => more + 1).some((length) => {
    const fact = tables.facts.longestAt(words, over - length)
    const isTopic = fact?.length === length && fact.values.some(({ fact }) => fact.kind === 'topic')
    return isTopic || tables.weighed.longestAt(words, over - length)?.length === length
  })
}

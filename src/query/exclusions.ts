/** What a negation excludes: facts and works, joined by `or` and the like, else the words of its clause. */
import { isFillerToEnd, turnOrJoin } from './clause-end.js'
import {
  type ExcludedTitle,
  isOfMaker,
  rowsOfBrand,
  titleAfter,
  titleOfClause,
} from './excluded-title.js'
import { endOfPhrase, headOf } from './excluded-phrase.js'
import { endOfWords, isOr, isSubjectAt, nextOfList, type Saying } from './exclusion-lists.js'
import { faultAfter } from './faults.js'
import type { Reading, TitleLookup } from './interpretation.js'
import { type FactHit, isOfKnown, type Negatable, type Negation } from './negation.js'
import type { QueryTables } from './query-tables.js'
import { textOf } from './query-words.js'
import { isOfSomebodyAt, relatives } from './somebody.js'
import { isWholeDeed, undoneFrom } from './undone.js'

/** Of a query that is being read. Functions that exclude return the word that follows. */
export interface Exclusions extends Negatable {
  readonly tables: Negatable['tables'] &
    Pick<QueryTables, 'facts' | 'excludedTopics' | 'faults' | 'negationGap'> &
    Pick<QueryTables, 'makerWords' | 'magazineLeads' | 'praises'>
  readonly titles: Pick<
    TitleLookup,
    'exact' | 'match' | 'known' | 'sure' | 'heads' | 'withWords' | 'brand' | 'madeBy'
  >
  /** Whether a word is part of a work that is named: the man of `like Chainsaw Man` lacks nothing. */
  readonly isNamed: (position: number) => boolean
  /** @param begin of the reading, which has the negation, too; the fact itself begins at `from` */
  readonly excludeFact: (begin: number, from: number, hit: FactHit) => number
  readonly exclude: (begin: number, end: number, reading: ExcludedReading) => number
  /** Leaves words out of what is described. */
  readonly leaveOut: (begin: number, end: number) => number
}

type ExcludedReading = Pick<Reading, 'label' | 'confidence'> &
  (
    | { readonly kind: 'title'; readonly rows: readonly number[] }
    | { readonly kind: 'words'; readonly words: string }
  )

/** Words between a negation and what it excludes: `without too much of a romance`. */
const maxGap = 4
/** How sure a subject is excluded that is none elsewhere. */
const toldConfidence = 0.88

/** Returns the word that follows what is excluded. */
export function readExclusion(asked: Exclusions, begin: number, negation: Negation): number {
  const { words, tables, isWish } = asked
  const isNegation = (position: number) => tables.negations.longestAt(words, position) !== undefined
  const afterNegation = begin + negation.length
  if (words[afterNegation - 1]?.endsClause) return afterNegation
  const { kind } = negation
  const isUndone = kind === 'undone'
  const fault = faultAfter(asked, begin, negation)
  if (fault?.isAll === true) return asked.leaveOut(begin, fault.end)
  const afterGaps = fault?.end ?? afterGap(asked, afterNegation)
  const from = isUndone ? undoneFrom(asked, afterNegation) : afterGaps
  // `nothing forced, comedy` wishes for comedy.
  if (from > afterNegation && words[from - 1]?.endsClause) return asked.leaveOut(begin, from)
  if (isUndone && !isWholeDeed(asked, from)) return from + (asked.factAt(from)?.length ?? 0)
  const isLack = kind === 'nobody' || saysLack(asked, begin, negation)
  const lacked = isLack ? lackedBy(asked, begin, from) : undefined
  if (lacked !== undefined) return lacked
  const isClause = kind !== 'lack' && !isUndone && isOwnClause(asked, begin)
  const saying: Saying = { kind, isClause, isSubject: isSubjectAt(asked, from) }
  const excludesWords = isWish && kind !== 'seen' && !isOfKnown(negation)
  for (let [start, at, unread] = [begin, from, afterNegation]; ;) {
    const known = excludeAt(asked, start, at, saying)
    const end = known ?? (excludesWords ? excludeWords(asked, start, at) : undefined)
    if (end === undefined) return excludesWords ? at : unread
    // `not stupid and funny` wishes for the second, where `without screaming and crying` wants neither.
    if (known === undefined && words[end]?.folded === 'and' && !listsOn(asked, end, kind))
      return end
    const next = nextOfList(asked, end, saying)
    if (next === undefined) return kind === 'dislike' ? excludeTold(asked, end) : end
    // `not isekai and not harem` excludes anew.
    if (isNegation(end) || isNegation(next)) return end
    // `no fanservice and good fights` excludes no fights.
    if (tables.praises.longestAt(words, next) !== undefined) return end
    const skipped = kind === 'lack' && words[next]?.folded === 'the' ? 1 : 0
    ;[start, at, unread] = [end, next + skipped, end]
  }
}

/** Whether `and` goes on with what is lacking: a subject, or the last word of the clause that praises nothing. */
function listsOn(asked: Exclusions, and: number, kind: Negation['kind']): boolean {
  const { words, tables } = asked
  const next = and + 1 + (words[and + 1]?.folded === 'the' ? 1 : 0)
  if (kind !== 'lack' || tables.praises.longestAt(words, next) !== undefined) return false
  return isSubjectAt(asked, next) || isFillerToEnd(asked, next + 1)
}

/** Words before `not` in a clause that says no more: `it is NOT pokemon`. */
const pointers = new Set('it its is was this that thats definitely also'.split(' '))

function isOwnClause({ words }: Exclusions, begin: number): boolean {
  let at = begin - 1
  while (pointers.has(words[at]?.folded ?? '') && !words[at]?.endsClause) at -= 1
  return words[at]?.endsClause ?? true
}

const relativesOfWorks = new Set('where that which with'.split(' '))

/** What is told of the works that somebody dislikes: `done with isekai where the guy is overpowered`. */
function excludeTold(asked: Exclusions, from: number): number {
  const { query, words, tables, factAt, excludeFact, leaveOut } = asked
  const isOwned = from < words.length && /['’]s$/i.test(query.slice(0, words[from - 1]?.end))
  if (!isOwned && !relativesOfWorks.has(words[from]?.folded ?? '')) return from
  let at = from
  while (at < words.length && !words[at - 1]?.endsClause) {
    if (tables.turns.longestAt(words, at) !== undefined) break
    const hit = factAt(at)
    at = hit === undefined ? leaveOut(at, at + 1) : excludeFact(at, at, hit)
  }
  return at
}

function afterGap({ words, tables, factAt }: Exclusions, afterNegation: number): number {
  let from = afterNegation
  for (let gap = 0; gap < maxGap && factAt(from) === undefined; gap += 1) {
    if (tables.negationGap.longestAt(words, from) === undefined) break
    from += 1
    if (words[from - 1]?.endsClause) return from
  }
  // `not by Urasawa` excludes whom he may be named as.
  const by =
    (tables.makerWords.longestAt(words, from) ?? tables.magazineLeads.longestAt(words, from))
      ?.length ?? 0
  const { kind } = factAt(from + by)?.fact ?? {}
  return kind === 'person' || kind === 'studio' || kind === 'magazine' ? from + by : from
}

/**
 * `a boy without magic` and `a world with no men` describe somebody or something, and exclude nothing, unless what
 * is lacking is said of works alone: `a girl, no romance`. Returns the word that follows.
 */
function lackedBy(asked: Exclusions, begin: number, from: number): number | undefined {
  const { words, tables, factAt } = asked
  let at = begin - 1
  while (wordsOfBearer.has(words[at]?.folded ?? '')) at -= 1
  const isBearer =
    !asked.isNamed(at) &&
    tables.bearers.longestAt(words, at) !== undefined &&
    !words[at]?.endsClause
  const isOfSomebody = factAt(from) === undefined && isOfSomebodyAt(words, begin, tables)
  if (!isBearer && !isOfSomebody) return undefined
  const canLack = (position: number) => factAt(position)?.canLack ?? true
  if (!canLack(from)) return undefined
  for (let end = from + (factAt(from)?.length ?? 0); ;) {
    const join = tables.joins.longestAt(words, end)?.length
    const other = join === undefined ? undefined : factAt(end + join)
    if (join === undefined || other?.canLack !== true) return end
    end += join + other.length
  }
}

const wordsOfBearer = new Set([...relatives, 'where'])

const saysLack = ({ words, tables }: Exclusions, begin: number, { length }: Negation): boolean =>
  tables.lacks.longestAt(words, begin)?.length === length

/** A fact or a work, whichever has more words; both where they have as many: `not fate`. */
function excludeAt(
  asked: Exclusions,
  begin: number,
  from: number,
  saying: Saying,
): number | undefined {
  const { excludeFact, exclude } = asked
  const hit = saying.kind === 'seen' ? undefined : excludedAt(asked, from)
  const found = workAt(asked, from, saying, hit?.length ?? 0)
  const isFact = hit && (!found || found.end === from + hit.length)
  if (isFact && !(found && isOfMaker(asked, begin, found))) excludeFact(begin, from, hit)
  if (found === undefined) return hit && endOfExcluded(asked, from, from + hit.length)
  const { end, title: label, similarity: confidence } = found
  const rows = [...new Set([...found.rows, ...rowsOfBrand(asked, from, end)])]
  return exclude(begin, end, { kind: 'title', label, confidence, rows })
}

/**
 * Leaves out what else belongs to an excluded fact: the clubs of `no high school clubs`; a genre is excluded, too. Returns
 * the word that follows.
 */
function endOfExcluded(asked: Exclusions, from: number, end: number): number {
  const head = asked.isWish ? headOf(asked, from, end) : undefined
  return head === undefined
    ? asked.leaveOut(end, endOfPhrase(asked, from, end))
    : asked.excludeFact(end, end, head)
}

/** The same after a phrase that begins in a negation; `no girls or romance` excludes romance, too. */
export function afterPhrase(asked: Exclusions, from: number, end: number): number {
  const rest = endOfExcluded(asked, from, end)
  if (!asked.isWish || !isOr(asked, rest)) return rest
  const saying = { kind: 'lack', isClause: false, isSubject: false } as const
  return excludeAt(asked, rest, rest + 1, saying) ?? rest
}

/** The fact that begins at a word, with what it means where it is excluded: `not set in japan`. */
function excludedAt(
  { words, tables, isWish, factAt }: Exclusions,
  from: number,
): FactHit | undefined {
  const hit = factAt(from)
  const { length = 0, values = [] } = tables.excludedTopics.longestAt(words, from) ?? {}
  if (!isWish || length === 0 || length < (hit?.length ?? 0)) return hit
  const known = hit?.length === length && hit.fact.kind === 'topic' ? hit.fact : undefined
  const meant = [known ?? { genres: [], tags: [] }, ...values]
  const genres = [...new Set(meant.flatMap((topic) => topic.genres))]
  const tags = [...new Set(meant.flatMap((topic) => topic.tags))]
  const fact = { kind: 'topic' as const, genres, tags }
  const label = textOf(words.slice(from, from + length))
  return { label, confidence: toldConfidence, ...hit, length, fact }
}

/** A told story excludes a work in a clause of its own. */
function workAt(
  asked: Exclusions,
  from: number,
  { kind, isClause }: Saying,
  factLength: number,
): ExcludedTitle | undefined {
  const { words, tables, isWish } = asked
  const endsAt = (position: number) => turnOrJoin(asked, position)
  const isFiller = (position: number) => tables.filler.longestAt(words, position) !== undefined
  const options = { factLength, endsAt, isFiller }
  if (isClause && (!isWish || kind === 'not')) {
    const found = titleOfClause(asked, from, options)
    if (found !== undefined || !isWish) return found
  }
  if (!isWish || isOfKnown({ kind })) return undefined
  const isEveryday = (position: number) => tables.known.has(words[position]?.stem ?? '')
  return titleAfter(asked, from, { ...options, kind, isEveryday })
}

function excludeWords(asked: Exclusions, begin: number, from: number): number | undefined {
  const end = endOfWords(asked, from)
  if (end === undefined) return undefined
  const text = textOf(asked.words.slice(from, end))
  return asked.exclude(begin, end, { kind: 'words', label: text, words: text, confidence: 0.5 })
}

/** Which of the meanings of a phrase is meant where it stands. */
import { type FactPhrase, oneWordConfidence } from './fact-phrase.js'
import type { FactPhrases } from './fact-phrases.js'
import type { TitleLookup } from './interpretation.js'
import {
  isNameOfMaker,
  isPerson,
  namesMaker,
  type NameTables,
  saysMade,
  subjectsBeside,
} from './named-makers.js'
import { numericFactAt } from './numeric-facts.js'
import type { PhraseHit } from './phrase-table.js'
import type { QueryTables } from './query-tables.js'
import { isSuperlative, positivesOf, type QueryWord } from './query-words.js'
import { determiners } from './small-words.js'
import { isWorkAt } from './wish.js'

type Tables = NameTables &
  Pick<QueryTables, 'joins' | 'lacks' | 'makerWords'> &
  Pick<TitleLookup, 'heads'>

/** Whether a word says something of its own of the next one: `silver eyes`, where `trigger mecha` and `mappa 2022` name a studio. */
function isBeforeOther(words: readonly QueryWord[], position: number, tables: Tables): boolean {
  const next = position + 1
  if (next >= words.length || words[position]?.endsClause === true) return false
  const { facts, filler, negations, turns } = tables
  return (
    !saysMade(words, next) &&
    ![facts, filler, negations, turns].some((table) => table.longestAt(words, next)) &&
    numericFactAt(words, next, true, tables) === undefined &&
    !isWorkAt(words, next, tables)
  )
}

/** Who is there is not who is to see it: `an institute for kids`. */
const isForPlace = (
  words: readonly QueryWord[],
  position: number,
  { wordLists }: Pick<QueryTables, 'wordLists'>,
): boolean =>
  words[position]?.folded === 'for' && wordLists.institutions.has(words[position - 1]?.folded ?? '')

/** `natsume's book` begins a title, of which he has made none. */
function beginsTitle(
  { fact }: FactPhrase,
  words: readonly QueryWord[],
  position: number,
  { facts, heads, madeBy }: Tables,
): boolean {
  const end = position + (facts.longestAt(words, position)?.length ?? 0)
  if (end >= words.length || words[end - 1]?.endsClause !== false) return false
  const said = words.slice(position, end + 1).map(({ folded }, at) => {
    const isOwner = at === end - 1 - position && folded === `${words[end - 1]?.stem}s`
    return isOwner ? folded.replace(/s$/, "'s") : folded
  })
  const begun = heads?.(said.join(' ')) ?? []
  return begun.length > 0 && !begun.some(({ row }) => madeBy?.(row, fact))
}

/** What has such a word before it is no name: `a white fox`. */
const isOwned = (words: readonly QueryWord[], position: number): boolean =>
  determiners.has(words[position - 1]?.folded ?? '')

/** Words before what somebody has done: `i finished`, `just completed`. */
const doers = new Set('i ive we weve just after when'.split(' '))

/** `finished` is said of works where it stands alone in its clause or before what is a work: who finished one wants another. */
function isStatusOfWork(
  words: readonly QueryWord[],
  begin: number,
  end: number,
  tables: Tables,
  isWish: boolean,
): boolean {
  const before = words[begin - 1]
  const endsThere = end === words.length || words[end - 1]?.endsClause === true
  // `finished junji ito` says who is known.
  if (!endsThere && tables.facts.longestAt(words, end)?.values.every(isPerson)) return false
  if (doers.has(before?.folded ?? '')) return false
  if (endsThere && (before === undefined || before.endsClause)) return true
  return (isWish && !isBeforeOther(words, end - 1, tables)) || isWorkAt(words, end, tables)
}

/** A phrase, and the position of its last word where others stand between: `episodes` of `short funny episodes`. */
type Listed = PhraseHit<FactPhrase> & { readonly noun?: number }

/** The phrase that begins at a word, or what a comparative there is derived from. */
export function listedAt(
  words: readonly QueryWord[],
  position: number,
  facts: FactPhrases,
  isWish: boolean,
): Listed | undefined {
  const hit = facts.longestAt(words, position)
  if (!isWish || hit === undefined)
    return hit ?? comparedAt(words, position, facts, isWish) ?? sharedAt(words, position, facts)
  // What is asked for of `urasawa works` are no works about work, and `takahashi's comics` are not about comics.
  const isOfPerson = hit.values.every(isPerson) && saysMade(words, position + hit.length)
  if (isOfPerson || isNameOfMaker(words, position, hit)) return { ...hit, length: hit.length + 1 }
  return (hit.length === 1 ? lengthAcross(words, position, facts) : undefined) ?? hit
}

/** So many words may stand between `short` and `episodes`. */
const maxBetween = 4

/** `short funny episodes` are short episodes. */
function lengthAcross(
  words: readonly QueryWord[],
  position: number,
  facts: FactPhrases,
): Listed | undefined {
  const word = words[position]
  let end = position + 1
  while (end <= position + 1 + maxBetween && !words[end - 1]?.endsClause) {
    const noun = words[end]
    if (word === undefined || noun === undefined) return undefined
    const { length, values = [] } = facts.longestAt([word, noun], 0) ?? {}
    const lengths = values.filter(({ fact }) => fact.kind === 'length' && fact.isOfSeries)
    if (length === 2 && lengths.length > 0) return { length: 1, values: lengths, noun: end }
    const between = facts.longestAt(words, end)
    if (between === undefined) return undefined
    end += between.length
  }
  return undefined
}

/** `darker` is read as `dark`, and `saddest` as `sad`; in a told story somebody is the saddest. */
function comparedAt(
  words: readonly QueryWord[],
  position: number,
  facts: FactPhrases,
  isWish: boolean,
): ReturnType<FactPhrases['longestAt']> {
  const word = words[position]
  if (word === undefined || (!isWish && isSuperlative(word.folded))) return undefined
  for (const stem of positivesOf(word.folded)) {
    const hit = facts.longestAt([{ ...word, stem }], 0)
    // A witcher is not more of a witch, nor is a sneer by Group SNE.
    if (hit?.values.some((value) => !value.isThing && !isMaker(value))) return hit
  }
  return undefined
}

/** `ancient china or japan`: what is said of the first is said of the second, which alone is no subject. */
function sharedAt(
  words: readonly QueryWord[],
  position: number,
  facts: FactPhrases,
): ReturnType<FactPhrases['longestAt']> {
  const [lead, first, or, second] = words.slice(Math.max(0, position - 3), position + 1)
  if (or?.folded !== 'or' || !lead || !first || !second || first.endsClause) return undefined
  if (facts.longestAt([lead, first], 0)?.length !== 2) return undefined
  const { length, values = [] } = facts.longestAt([lead, second], 0) ?? {}
  const topics = values.filter(({ fact }) => fact.kind === 'topic')
  return length === 2 && topics.length > 0 ? { length: 1, values: topics } : undefined
}

const isMaker = ({ fact: { kind } }: FactPhrase): boolean =>
  kind === 'studio' || kind === 'person' || kind === 'magazine'

/** The best of the meanings that fit where the words stand. */
export function choosePhrase(
  { values, length }: PhraseHit<FactPhrase>,
  words: readonly QueryWord[],
  position: number,
  tables: Tables,
  isWish: boolean,
): FactPhrase | undefined {
  // `naruto but girls` wishes what `he studies but girls distract him` tells.
  if (!isWish && tables.turns.longestAt(words, position) !== undefined) return undefined
  const followsMaker = isWish && tables.makerWords.lengthBefore(words, position) > 0
  const standsAlone = isWish && namesMaker(words, position, length, values, tables)
  const isAllFacts = () =>
    isWish && subjectsBeside(words, position, length, tables, true) !== undefined
  const isMeant = ({ fact, needsMaker, needsFacts, spelt }: FactPhrase) =>
    (needsFacts !== true || isAllFacts()) &&
    (followsMaker || standsAlone || !needsMaker) &&
    (spelt === undefined || spelt === words[position]?.folded) &&
    (fact.kind !== 'audience' || !isForPlace(words, position, tables)) &&
    (fact.kind !== 'status' || isStatusOfWork(words, position, position + length, tables, isWish))
  // Who wants `no arms` says nothing of a studio.
  const isLacked =
    words[position]?.folded !== words[position]?.stem &&
    tables.lacks.lengthBefore(words, position) > 0
  const fitting = values.filter(
    (value) =>
      isMeant(value) &&
      !(isLacked && value.fact.kind === 'studio') &&
      (followsMaker || !isPerson(value) || !beginsTitle(value, words, position, tables)),
  )
  const named = followsMaker ? fitting.find(isMaker) : undefined
  if (named !== undefined) return { ...named, confidence: 0.95 }
  const isPlainWord = !isWish || isBeforeOther(words, position, tables)
  const isThing = !isWish && isOwned(words, position) && !isWorkAt(words, position + length, tables)
  const isSureName = ({ confidence }: FactPhrase) => confidence > oneWordConfidence && !isThing
  const sure = isPlainWord
    ? fitting.filter((value) => !isMaker(value) || isSureName(value))
    : fitting
  return sure.toSorted((one, other) => other.confidence - one.confidence)[0]
}

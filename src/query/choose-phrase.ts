/** Which of the meanings of a phrase is meant where it stands. */
import { type FactPhrase, type FactPhrases, oneWordConfidence } from './fact-phrases.js'
import type { TitleLookup } from './interpretation.js'
import { numericFactAt } from './numeric-facts.js'
import type { PhraseHit } from './phrase-table.js'
import type { QueryTables } from './query-tables.js'
import {
  isSuperlative,
  positivesOf,
  type QueryWord,
  stemOf,
  withoutLongVowels,
} from './query-words.js'
import { isWorkAt } from './wish.js'

/** A shorter name is too often another word. */
const minNameLength = 5
const workWords = new Set(
  ['anime', 'manga', 'manhwa', 'movie', 'film', 'work', 'style'].map(stemOf),
)

/** `urasawa manga` and `urasawa but not Monster`: who has the name alone, and what follows is made by somebody. */
function isNameBeforeWork(
  words: readonly QueryWord[],
  position: number,
  values: readonly FactPhrase[],
  { turns, negations, exceptions }: Tables,
): boolean {
  const [name, next] = [words[position], words[position + 1]]
  if (!values.every(isPerson) || (name?.folded.length ?? 0) < minNameLength) return false
  if (next !== undefined && workWords.has(next.stem)) return true
  const endsThere = [turns, negations, exceptions].some((table) =>
    table.longestAt(words, position + 1),
  )
  return position === 0 && (next === undefined || endsThere)
}

/** A shorter name beside subjects is too often another word. */
const minNameBesideSubjects = 4

/** `urasawa thriller` and `dark fantasy miura`: of a query that says nothing but what is wished, the name says who made it. */
function isNameBesideSubjects(
  words: readonly QueryWord[],
  position: number,
  values: readonly FactPhrase[],
  tables: Tables,
): boolean {
  const { facts, filler } = tables
  const name = words[position]?.folded ?? ''
  if (name.length < minNameBesideSubjects || !values.every(isPerson)) return false
  let subjects = 0
  for (let at = 0; at < words.length;) {
    if (at === position) {
      at += 1
      continue
    }
    const before = words.slice(0, at < position ? position : words.length)
    const fact = facts.longestAt(before, at)
    const told = Math.max(fact?.length ?? 0, numericFactAt(before, at, true)?.length ?? 0)
    const length = Math.max(told, filler.longestAt(before, at)?.length ?? 0)
    if (length === 0 || fact?.values.every(isPerson) === true) return false
    subjects += told === 0 ? 0 : 1
    at += length
  }
  return subjects > 0 && isInNoOtherTitle(name, values, tables)
}

/** Yamada-kun is a title; in `Pluto: Urasawa x Tezuka` he is the author. */
function isInNoOtherTitle(
  name: string,
  values: readonly FactPhrase[],
  { titled, madeBy }: Tables,
): boolean {
  const isAuthor = (row: number) => values.some(({ fact }) => madeBy?.(row, fact))
  return (titled?.([name]) ?? []).every(isAuthor)
}

/** Of `Makoto Shinkai` the last word, however its vowels are written; no pen name of one word. */
function isFamilyName(name: string, person: string): boolean {
  const [first = '', ...others] = person.toLowerCase().split(/\s+/)
  const last = others.at(-1) ?? ''
  return first !== '' && withoutLongVowels(last) === withoutLongVowels(name)
}

/** So long a name that no title and no character has is somebody's, whatever stands around it. */
const minTellingName = 6
/** What stands before a place: some have the names of people. */
const beforePlaces = new Set(['in', 'at', 'near', 'around', 'to', 'called', 'named'])

/** `Ikuhara weird symbolism`, `tomino kills everybody`. */
function isTellingName(
  words: readonly QueryWord[],
  position: number,
  values: readonly FactPhrase[],
  tables: Tables,
): boolean {
  const name = words[position]?.folded ?? ''
  return (
    name.length >= minTellingName &&
    values.every(({ fact }) => fact.kind === 'person' && isFamilyName(name, fact.value)) &&
    !beforePlaces.has(words[position - 1]?.folded ?? '') &&
    tables.characters?.([name]) === undefined &&
    isInNoOtherTitle(name, values, tables)
  )
}

const isPerson = ({ fact }: FactPhrase): boolean => fact.kind === 'person'

type Tables = Pick<
  QueryTables,
  'exceptions' | 'facts' | 'filler' | 'joins' | 'makerWords' | 'negations' | 'turns'
> &
  Pick<TitleLookup, 'titled' | 'madeBy' | 'characters'>

/** Whether a word says something of its own of the next one: `silver eyes`, where `trigger mecha` and `mappa 2022` name a studio. */
function isBeforeOther(words: readonly QueryWord[], position: number, tables: Tables): boolean {
  const next = position + 1
  if (next >= words.length || words[position]?.endsClause === true) return false
  const { facts, filler, negations, turns } = tables
  return (
    ![facts, filler, negations, turns].some((table) => table.longestAt(words, next)) &&
    numericFactAt(words, next, true) === undefined &&
    !isWorkAt(words, next, tables)
  )
}

/** Words before what is no name: `a white fox`. */
const determiners = new Set('a an the his her their my'.split(' '))

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
  if (!isWish || hit === undefined) return hit ?? comparedAt(words, position, facts, isWish)
  // What is asked for of `urasawa works` are no works about work.
  if (hit.values.every(isPerson) && words[position + hit.length]?.folded === 'works')
    return { ...hit, length: hit.length + 1 }
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
    // A witcher is not more of a witch.
    if (hit?.values.some(({ isThing }) => !isThing)) return hit
  }
  return undefined
}

/** The best of the meanings that fit where the words stand. */
export function choosePhrase(
  { values, length }: PhraseHit<FactPhrase>,
  words: readonly QueryWord[],
  position: number,
  tables: Tables,
  isWish: boolean,
): FactPhrase | undefined {
  const followsMaker =
    isWish &&
    [1, 2, 3, 4].some((length) => {
      const begin = position - length
      return begin >= 0 && tables.makerWords.longestAt(words, begin)?.length === length
    })
  const standsAlone =
    isWish &&
    (isNameBeforeWork(words, position, values, tables) ||
      isNameBesideSubjects(words, position, values, tables) ||
      isTellingName(words, position, values, tables))
  const isMeant = ({ fact, needsMaker, spelt }: FactPhrase) =>
    (followsMaker || standsAlone || !needsMaker) &&
    (spelt === undefined || spelt === words[position]?.folded) &&
    (fact.kind !== 'status' || isStatusOfWork(words, position, position + length, tables, isWish))
  const fitting = values.filter(isMeant)
  const isMaker = ({ fact: { kind } }: FactPhrase) =>
    kind === 'studio' || kind === 'person' || kind === 'magazine'
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

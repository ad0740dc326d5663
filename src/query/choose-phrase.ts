/** Which of the meanings of a phrase is meant where it stands. */
import { type FactPhrase, type FactPhrases, oneWordConfidence } from './fact-phrases.js'
import type { TitleLookup } from './interpretation.js'
import { numericFactAt } from './numeric-facts.js'
import type { PhraseHit } from './phrase-table.js'
import type { QueryTables } from './query-tables.js'
import { isSuperlative, positivesOf, type QueryWord, stemOf } from './query-words.js'
import { isWorkAt } from './wish.js'

/** A shorter name is too often another word. */
const minNameLength = 5
const workWords = new Set(
  'anime manga manhwa movie film work style comic novel game book'.split(' ').map(stemOf),
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

/** `a Key visual novel` and `key's game`: a brand, however short, before what it makes. */
const isBrand = (
  words: readonly QueryWord[],
  position: number,
  values: readonly FactPhrase[],
): boolean => {
  const [name, next, last] = words.slice(position, position + 3)
  const isOwner = name?.folded !== name?.stem
  const makes =
    next?.stem === 'vn' ||
    (next?.stem === 'visual' && last?.stem === 'novel') ||
    (next?.stem === 'game' && isOwner)
  return makes && values.every(isPerson)
}

/** `films that takahata did`: what follows the name says that somebody made something. */
const deeds = new Set('did made directed wrote drew created authored animated'.split(' '))

const isDeed = (words: readonly QueryWord[], position: number): boolean =>
  deeds.has(words[position]?.folded ?? '') &&
  (position + 1 === words.length || words[position]?.endsClause === true)

/** Whether a word says that somebody who is named before it made something. */
function saysMade(words: readonly QueryWord[], position: number): boolean {
  const [owner, work] = [words[position - 1], words[position]]
  const isOwned = owner?.folded === `${owner?.stem}s` && workWords.has(work?.stem ?? '')
  return work?.folded === 'works' || isOwned || isDeed(words, position)
}

/** How many facts stand beside words; undefined where anything else does. */
function subjectsBeside(
  words: readonly QueryWord[],
  position: number,
  length: number,
  { facts, filler }: Pick<Tables, 'facts' | 'filler'>,
  mayBePerson: boolean,
): number | undefined {
  let subjects = 0
  for (let at = 0; at < words.length;) {
    if (at === position) {
      at += length
      continue
    }
    const before = words.slice(0, at < position ? position : words.length)
    const fact = facts.longestAt(before, at)
    const read = Math.max(fact?.length ?? 0, filler.longestAt(before, at)?.length ?? 0)
    const isOther = !mayBePerson && fact?.values.every(isPerson) === true
    if (read === 0 || isOther) return undefined
    subjects += fact === undefined ? 0 : 1
    at += read
  }
  return subjects
}

/** A shorter name beside subjects is too often another word. */
const minNameBesideSubjects = 4

/** `urasawa thriller` and `dark fantasy miura`: of a query that says nothing but what is wished, the name says who made it. */
function isNameBesideSubjects(
  words: readonly QueryWord[],
  position: number,
  values: readonly FactPhrase[],
  { facts, filler, titled, madeBy }: Tables,
): boolean {
  const name = words[position]?.folded ?? ''
  if (name.length < minNameBesideSubjects || !values.every(isPerson)) return false
  const subjects = subjectsBeside(words, position, 1, { facts, filler }, false)
  if (subjects === undefined) return false
  // Yamada-kun is a title; in `Pluto: Urasawa x Tezuka` he is the author.
  const isAuthor = (row: number) => values.some(({ fact }) => madeBy?.(row, fact))
  return subjects > 0 && (titled?.([name]) ?? []).every(isAuthor)
}

const isPerson = ({ fact }: FactPhrase): boolean => fact.kind === 'person'

type Tables = Pick<
  QueryTables,
  'exceptions' | 'facts' | 'filler' | 'joins' | 'makerWords' | 'negations' | 'turns'
> &
  Pick<TitleLookup, 'titled' | 'madeBy'>

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
  // What is asked for of `urasawa works` are no works about work, and `takahashi's comics` are not about comics.
  if (hit.values.every(isPerson) && saysMade(words, position + hit.length))
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
      (length > 1 && values.every(isPerson) && isDeed(words, position + length - 1)) ||
      isBrand(words, position, values) ||
      isNameBesideSubjects(words, position, values, tables))
  const isAllFacts = () =>
    isWish && subjectsBeside(words, position, length, tables, true) !== undefined
  const isMeant = ({ fact, needsMaker, needsFacts, spelt }: FactPhrase) =>
    (needsFacts !== true || isAllFacts()) &&
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

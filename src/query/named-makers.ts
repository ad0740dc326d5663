/** Names of people and brands that say who made what is wished: `urasawa manga`, `films that takahata did`, `dark fantasy miura`. */
import type { FactPhrase } from './fact-phrase.js'
import type { TitleLookup } from './interpretation.js'
import { numericFactAt } from './numeric-facts.js'
import type { PhraseHit } from './phrase-table.js'
import type { QueryTables } from './query-tables.js'
import { type QueryWord, stemOf, withoutLongVowels } from './query-words.js'

export type NameTables = Pick<
  QueryTables,
  'exceptions' | 'facts' | 'filler' | 'makerEras' | 'negations' | 'turns' | 'wordLists'
> &
  Pick<TitleLookup, 'titled' | 'madeBy' | 'characters'>

/** Whether words that are somebody's name mean that they made what is wished, without `by`. */
export const namesMaker = (
  words: readonly QueryWord[],
  position: number,
  length: number,
  values: readonly FactPhrase[],
  tables: NameTables,
): boolean =>
  values.every(isPerson) &&
  (isNameBeforeWork(words, position, tables) ||
    (length > 1 && isDeed(words, position + length - 1)) ||
    isBrand(words, position) ||
    isExceptMaker(words, position, tables) ||
    isNameBesideSubjects(words, position, values, tables) ||
    isTellingName(words, position, values, tables))

/** A shorter name is too often another word. */
const minNameLength = 5
const workWords = new Set(
  'anime manga manhwa movie film work style stuff comic novel game book'.split(' ').map(stemOf),
)

/** `urasawa manga`, `early urasawa` and `urasawa but not Monster`: who has the name alone, and what follows is made by somebody. */
function isNameBeforeWork(
  words: readonly QueryWord[],
  position: number,
  { turns, negations, exceptions, makerEras }: NameTables,
): boolean {
  // `hosoda's first film`
  const era = makerEras.longestAt(words, position + 1)?.length ?? 0
  const [name, next] = [words[position], words[position + 1 + era]]
  if ((name?.folded.length ?? 0) < minNameLength) return false
  if (next !== undefined && workWords.has(next.stem)) return true
  const endsThere = [turns, negations, exceptions].some((table) =>
    table.longestAt(words, position + 1),
  )
  const isFirst = position === makerEras.lengthBefore(words, position)
  return isFirst && (next === undefined || endsThere)
}

/** `a Key visual novel` and `key's game`: a brand, however short, before what it makes. */
function isBrand(words: readonly QueryWord[], position: number): boolean {
  const [name, next, last] = words.slice(position, position + 3)
  const isOwner = name?.folded !== name?.stem
  return (
    next?.stem === 'vn' ||
    (next?.stem === 'visual' && last?.stem === 'novel') ||
    (next?.stem === 'game' && isOwner)
  )
}

/** `ghibli but not miyazaki`: beside makers, a name that is excluded is that of another. */
function isExceptMaker(
  words: readonly QueryWord[],
  position: number,
  { facts, negations, exceptions }: NameTables,
): boolean {
  if ((words[position]?.folded.length ?? 0) < minNameLength) return false
  const isExcluded = [negations, exceptions].some((table) => table.lengthBefore(words, position))
  return (
    isExcluded &&
    words.slice(0, position).some((_, at) => facts.longestAt(words, at)?.values.every(isMaker))
  )
}

/** `films that takahata did`: what follows the name says that somebody made something. */
const deeds = new Set('did made directed wrote drew created authored animated'.split(' '))

const isDeed = (words: readonly QueryWord[], position: number): boolean =>
  deeds.has(words[position]?.folded ?? '') &&
  (position + 1 === words.length || words[position]?.endsClause === true)

/** Whether a word says that somebody who is named before it made something. */
export function saysMade(words: readonly QueryWord[], position: number): boolean {
  const [owner, work] = [words[position - 1], words[position]]
  const isOwned = owner?.folded === `${owner?.stem}s` && workWords.has(work?.stem ?? '')
  return made.has(work?.folded ?? '') || isOwned || isDeed(words, position)
}

/** Behind a maker's name, what they make: `trigger style`, `clamp stuff`. */
const made = new Set(['works', 'style', 'stuff'])

/** Whether what somebody makes stands behind a name, so that it is a maker's: `miyazaki stuff`. */
export const isNameOfMaker = (
  words: readonly QueryWord[],
  position: number,
  { length, values }: PhraseHit<FactPhrase>,
): boolean => made.has(words[position + length]?.folded ?? '') && values.every(isMaker)

/** How many facts stand beside words; undefined where anything else does. */
export function subjectsBeside(
  words: readonly QueryWord[],
  position: number,
  length: number,
  { facts, filler, wordLists }: Pick<NameTables, 'facts' | 'filler' | 'wordLists'>,
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
    const told = Math.max(
      fact?.length ?? 0,
      numericFactAt(before, at, true, { wordLists })?.length ?? 0,
    )
    const read = Math.max(told, filler.longestAt(before, at)?.length ?? 0)
    const isOther = !mayBePerson && fact?.values.every(isPerson) === true
    if (read === 0 || isOther) return undefined
    subjects += told === 0 ? 0 : 1
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
  tables: NameTables,
): boolean {
  const name = words[position]?.folded ?? ''
  if (name.length < minNameBesideSubjects) return false
  if ((subjectsBeside(words, position, 1, tables, false) ?? 0) === 0) return false
  return isInNoOtherTitle(name, values, tables)
}

/** Yamada-kun is a title; in `Pluto: Urasawa x Tezuka` he is the author. */
function isInNoOtherTitle(
  name: string,
  values: readonly FactPhrase[],
  { titled, madeBy }: NameTables,
): boolean {
  const isAuthor = (row: number) => values.some(({ fact }) => madeBy?.(row, fact))
  return (titled?.([name]) ?? []).every(isAuthor)
}

/** Of `Makoto Shinkai` the last word, however its vowels are written; no pen name of one word. */
function isFamilyName(name: string, person: string): boolean {
  const [, ...others] = person.toLowerCase().split(/\s+/)
  return withoutLongVowels(others.at(-1) ?? '') === withoutLongVowels(name)
}

/** So long a name that no title and no character has is somebody's, whatever stands around it. */
const minTellingName = 6
/** What stands before a place: some have the names of people. */
const beforePlaces = new Set(['in', 'at', 'near', 'around', 'to', 'called', 'named'])

/** `tomino kills everybody, old robot show`. */
function isTellingName(
  words: readonly QueryWord[],
  position: number,
  values: readonly FactPhrase[],
  tables: NameTables,
): boolean {
  const name = words[position]?.folded ?? ''
  return (
    name.length >= minTellingName &&
    values.every(({ fact }) => fact.kind === 'person' && isFamilyName(name, fact.value)) &&
    !beforePlaces.has(words[position - 1]?.folded ?? '') &&
    (tables.characters?.([name])?.kind ?? 'shared') === 'shared' &&
    isInNoOtherTitle(name, values, tables)
  )
}

export const isPerson = ({ fact }: FactPhrase): boolean => fact.kind === 'person'

export const isMaker = ({ fact: { kind } }: FactPhrase): boolean =>
  kind === 'person' || kind === 'studio'

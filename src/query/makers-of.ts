/** Makers who are told by a work: `by the author of X`, `who wrote X`, `death note author`, `by the Monster guy`. */
import type { MakersRole, TitleLookup, TitleMatch } from './interpretation.js'
import {
  leadWords,
  maxTitleWords,
  namedBy,
  type NamedWork,
  type NamedWorks,
} from './named-works.js'
import type { PhraseHit } from './phrase-table.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { nearTitle, sameTitle } from './read-title.js'
import { fillerOf, isPartOfFiller } from './rest-of-query.js'
import { theirs } from './small-words.js'
import { areFacts } from './subject.js'

type SaidRole = MakersRole | 'any'

/** The phrase that begins at a word, and that a work follows; a question begins the query. */
export function makersAt(
  words: readonly QueryWord[],
  position: number,
  { makers, makerQuestions }: Pick<QueryTables, 'makers' | 'makerQuestions'>,
): PhraseHit<SaidRole> | undefined {
  const asked = position === 0 ? makerQuestions.longestAt(words, position) : undefined
  return asked ?? makers.longestAt(words, position)
}

export interface MakersOf extends NamedWork {
  /** Where the query tells it. */
  readonly role?: MakersRole
}

type Roles = Pick<QueryTables, 'makerRoles' | 'makerLeads' | 'facts' | 'filler'>

interface MakersQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly tables: Roles & Pick<QueryTables, 'makers' | 'makerQuestions'>
  readonly titles: Pick<TitleLookup, 'exact' | 'known' | 'sure'>
  readonly named: Pick<NamedWorks, 'titleAt'>
  readonly isWish: boolean
}

/** The work by whose makers something is wished, where that is said at a word. */
export function makersOf(asked: MakersQuery, position: number): MakersOf | undefined {
  const { query, words, tables, titles, named, isWish } = asked
  const maker = makersAt(words, position, tables)
  if (maker === undefined) {
    return isWish ? workBeforeRole(query, words, position, tables, titles) : undefined
  }
  const said = words.slice(position, position + maker.length)
  // Where a story is told, `same author as monster` names a work, whatever its letters.
  const isSame = said.some(({ folded }) => folded === 'same')
  const work = named.titleAt(position + maker.length, isSame)
  if (work === undefined) return undefined
  // `who made me a princess but darker` asks for nobody.
  const isQuestion = tables.makers.longestAt(words, position) === undefined
  const isAll = work.similarity > nearTitle && isFillerFrom(words, work.end, tables)
  if (isQuestion && !isAll) return undefined
  return withRole({ ...work, begin: Math.min(position, work.begin) }, rolesOf(said, maker.values))
}

/** `the guy who made X` is a person, and `the guys who made X` are its studio, too. */
const rolesOf = (said: readonly QueryWord[], values: readonly SaidRole[]): readonly SaidRole[] =>
  values.length > 1 && said.every(({ folded, stem }) => folded === stem)
    ? values.filter((role) => role !== 'any')
    : values

const withRole = (work: NamedWork, [said = 'any']: readonly SaidRole[]): MakersOf =>
  said === 'any' ? work : { ...work, role: said }

const isFillerFrom = (words: readonly QueryWord[], begin: number, { filler }: Roles): boolean =>
  fillerOf(words, filler).every((is, at) => is || at < begin)

/** The work before a role at a word, where that is what its makers are told by. */
export function workBeforeRole(
  query: string,
  words: readonly QueryWord[],
  position: number,
  tables: Roles,
  titles: Pick<TitleLookup, 'exact' | 'known' | 'sure'>,
): MakersOf | undefined {
  const role = tables.makerRoles.longestAt(words, position)
  if (role === undefined) return undefined
  const end = position + role.length
  const isFiller = fillerOf(words, tables.filler)
  for (let begin = Math.max(0, position - maxTitleWords); begin < position; begin += 1) {
    const work = namedBy(titlesOf(textOf(query, words, begin, position), titles), begin, end)
    // `by another studio` names no work.
    if (work === undefined || isPartOfFiller(words, begin, 1, tables.filler)) continue
    const lead = tables.makerLeads.lengthBefore(words, begin)
    const named = words.slice(begin, position)
    const isPlain = areFacts(named, tables) || fillerOf(named, tables.filler).every(Boolean)
    const isAll = isFiller.every((is, at) => is || (begin <= at && at < end))
    // `monster author` may be a subject, which `by the monster author` is not.
    const isOwned = /['’]s$/i.test(query.slice(0, words[position - 1]?.end))
    // `slam dunk author` names a well-known work, whatever else its words say.
    const isSeveral =
      position - begin > 1 && (!isPlain || isSureWork(work, query, words, position, titles))
    const isOne = !isPlain && (isAll || isOwned)
    const isSure = !role.values.includes('any') && (isSeveral || isOne)
    const said = rolesOf(words.slice(position, end), role.values)
    const isSurelyOne = () => !isPlain || isSureWork(work, query, words, position, titles)
    const isTold =
      (isOwned && !isPlain && isDeed(words, end)) || (isAnotherWork(words, end) && isSurelyOne())
    if (lead > 0 || isSure || isTold) return withRole({ ...work, begin: begin - lead }, said)
  }
  return undefined
}

const deeds = new Set('did made wrote drew created directed animated'.split(' '))
const others = new Set('another other others more something'.split(' '))

/** `death note's team did another one` tells of works, and `one piece's crew did another voyage` of a story. */
function isDeed(words: readonly QueryWord[], position: number): boolean {
  const [deed, other, thing] = words.slice(position, position + 3)
  if (!deeds.has(deed?.folded ?? '') || !others.has(other?.folded ?? '')) return false
  const isWork = leadWords.has(thing?.stem ?? '') || /^(?:ones?|else)$/.test(thing?.folded ?? '')
  return isWork || thing === undefined || other?.endsClause === true
}

/** So many words may tell which work of somebody is meant: `his other short one`. */
const maxOwnWords = 4
const ones = new Set([...leadWords, 'one', 'work'])

/** Whether a work of those who are named is told of to the end of its clause: `the death note guys other one`. */
function isAnotherWork(words: readonly QueryWord[], position: number): boolean {
  for (let at = position; at < Math.min(words.length, position + maxOwnWords); at += 1) {
    const { stem = '', endsClause } = words[at] ?? {}
    if (at > position && ones.has(stem) && (endsClause || at + 1 === words.length)) return true
    if (endsClause) return false
  }
  return false
}

/** Whether a word before a work says whose it is, where its makers are told of: `same author as nana her other manga`. */
export const isOwnWork = (words: readonly QueryWord[], position: number): boolean =>
  theirs.has(words[position]?.folded ?? '') && isAnotherWork(words, position)

const isSureWork = (
  { begin, rows }: NamedWork,
  query: string,
  words: readonly QueryWord[],
  position: number,
  { sure }: Pick<TitleLookup, 'sure'>,
): boolean =>
  sure?.(textOf(query, words, begin, position)).some(({ row }) => rows.includes(row)) === true

/** Of `naruto's author`, the title alone. */
const textOf = (query: string, words: readonly QueryWord[], begin: number, end: number): string =>
  query.slice(words[begin]?.begin, words[end - 1]?.end).replace(/['’]s$/i, '')

/** One word is the title of a well-known work, several are that of any. */
function titlesOf(
  text: string,
  { exact, known = exact }: Pick<TitleLookup, 'exact' | 'known'>,
): readonly TitleMatch[] {
  const same = exact(text)
  if (same.length === 0 || /\s/.test(text)) return same
  return known(text).filter(({ similarity }) => similarity >= sameTitle)
}

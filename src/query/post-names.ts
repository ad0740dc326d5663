/**
 * Names of works in a post. One that everyday words have, too, stands where a work is expected: first in its clause,
 * beside another work, or after what is said of works.
 */
import type { KnownWorks } from './known-works.js'
import { namedBy, type NamedWork } from './named-works.js'
import type { TitleLookup } from './interpretation.js'
import { endOfRun } from './phrase-run.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { sameTitle } from './read-title.js'
import type { SayingTables } from './sayings.js'
import { determiners as anyDeterminers } from './small-words.js'

export interface PostQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly titles: Pick<TitleLookup, 'sure'>
  readonly known: KnownWorks
  readonly tables: PostTables
}

export type PostTables = SayingTables &
  Pick<QueryTables, 'asksName' | 'forgotten' | 'joins' | 'around' | 'praises' | 'wordLists'> & {
    readonly factLength: (begin: number) => number
  }

export interface PostNames {
  /** A name that is hardly anything else. */
  sureAt(begin: number, isExpected: boolean): NamedWork | undefined
  /** The word that follows a name that is none where it stands, or one word. */
  passed(begin: number): number
  /** The known work that begins at a word, before what is said of it, too: `monster was close`. */
  knownAt(begin: number): NamedWork | undefined
  /** The name that words are, whatever follows: `dropped SAO after five episodes`. */
  spelt(begin: number): NamedWork | undefined
  /** The works of a list that begins with one. */
  listFrom(first: NamedWork): readonly NamedWork[]
  /** Where the next of a list begins. */
  linkedFrom(end: number): number | undefined
  /** Whether words are facts or say nothing: `slam dunk`. */
  isEveryday(begin: number, end: number): boolean
}

/** What follows a work of which something is said: `monster was close`. */
export const predicates: ReadonlySet<string> = new Set(
  'is was were are has had got made feels felt left hit kept blew broke changed ruined destroyed too fan fans'.split(
    ' ',
  ),
)
/** Longer titles are found where something stands before them that says so. */
const maxNameWords = 8
/** So many words may be a title by chance. */
const maxEverydayWords = 2
/** Before a word that is no name: `a vagabond`. */
export const determiners: ReadonlySet<string> = new Set([
  ...anyDeterminers,
  ...'this that some any'.split(' '),
])
/** Before words that are no title: `a death note from a god`, `something about kids on the slope`. */
const articles = new Set(['a', 'an', 'about'])
/** No name begins or ends with such a word in a sentence; to look for none saves half of the lookups. */
const links = new Set('and or but of with was are were on for at by had has have'.split(' '))
/** A name may begin with these: `to your eternity`. */
const openings = new Set(
  'the a an to in is from as my his her their i that who when where'.split(' '),
)
/** Names that are looked for behind what is said of them. */
const maxSpeltWords = 6
/** So many words of a list may be a work that nobody knows. */
const maxUnknownWords = 3
/** Words between those of a list: `X, also Y`. */
const besides = new Set(['also', 'then', 'even', 'both'])

/** @param isTaken whether a word is part of a work that is read otherwise */
export function createPostNames(
  { query, words, tables, titles, known }: PostQuery,
  isTaken: (position: number) => boolean,
): PostNames {
  return { sureAt, passed, knownAt, spelt, listFrom, linkedFrom, isEveryday }

  function sureAt(begin: number, isExpected: boolean): NamedWork | undefined {
    const work = longestAt(begin)
    return work !== undefined && (isExpected || !isChance(work)) ? work : undefined
  }

  function passed(begin: number): number {
    const work = longestAt(begin)
    return work !== undefined && isChance(work) ? work.end : begin + 1
  }

  function longestAt(begin: number): NamedWork | undefined {
    if (links.has(words[begin]?.folded ?? '')) return undefined
    for (let end = Math.min(words.length, begin + maxNameWords); end > begin; end -= 1) {
      const last = words[end - 1]?.folded ?? ''
      if (links.has(last) || openings.has(last)) continue
      const text = query.slice(words[begin]?.begin, words[end - 1]?.end).replace(/['’]s$/, '')
      const work = namedBy(titles.sure?.(text) ?? [], begin, end)
      if (work !== undefined) return work
    }
    return undefined
  }

  function isChance({ begin, end }: NamedWork): boolean {
    const before = words[begin - 1]?.folded ?? ''
    const isPlain = articles.has(before) || (end - begin === 1 && determiners.has(before))
    return isPlain || words[end]?.folded === 'of' || isEveryday(begin, end)
  }

  function knownAt(begin: number): NamedWork | undefined {
    const work = known.at(begin)
    if (work !== undefined && (work.similarity === 1 || !isEveryday(begin, work.end))) return work
    const most = Math.min(words.length, begin + maxNameWords)
    for (let end = begin + 1; end < most && words[end - 1]?.endsClause === false; end += 1) {
      const isSaidOf = predicates.has(words[end]?.folded ?? '')
      if (isSaidOf || tables.tooMuch.longestAt(words, end)) return known.of(begin, end)
    }
    return undefined
  }

  function spelt(begin: number): NamedWork | undefined {
    for (let end = Math.min(words.length, begin + maxSpeltWords); end > begin; end -= 1) {
      const work = isEveryday(begin, end) ? undefined : known.of(begin, end)
      if (work !== undefined && work.similarity >= sameTitle) return work
    }
    return undefined
  }

  function listFrom(first: NamedWork): readonly NamedWork[] {
    const list = [first]
    for (let end = first.end; ;) {
      const from = linkedFrom(end)
      if (from === undefined || isTaken(from)) return list
      const next = knownAt(from) ?? afterUnknown(from)
      if (next === undefined) return list
      list.push(next)
      end = next.end
    }
  }

  /** The next work of a list, after a name that nobody knows. */
  function afterUnknown(from: number): NamedWork | undefined {
    const most = Math.min(words.length, from + maxUnknownWords + 1)
    for (let at = from + 1; at < most; at += 1) {
      const next = linkedFrom(at)
      if (next !== undefined) return knownAt(next)
    }
    return undefined
  }

  function linkedFrom(end: number): number | undefined {
    const link = known.linkAt(end)
    if (link === undefined) return undefined
    let from = end + link
    while (besides.has(words[from]?.folded ?? '')) from += 1
    return tables.joins.longestAt(words, from) ? from + 1 : from
  }

  function isEveryday(begin: number, end: number): boolean {
    if (end - begin > maxEverydayWords) return tables.factLength(begin) >= end - begin
    const lengthAt = (at: number) =>
      Math.max(tables.factLength(at), tables.filler.longestAt(words, at)?.length ?? 0)
    return endOfRun(begin, end, lengthAt) >= end
  }
}

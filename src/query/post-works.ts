/**
 * Works that somebody who asks for something names anywhere, and whether more like them is wanted: `monster was close.
 * tell me another`, `dropped bleach after three episodes`. A name that everyday words have, too, stands where one is
 * expected: first in its clause, beside another work, or after what is said of works.
 */
import type { TitleLookup } from './interpretation.js'
import type { KnownWorks } from './known-works.js'
import { leadWords, maxTitleWords, namedBy, type NamedWork } from './named-works.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { createSayings, type Saying } from './sayings.js'
import { isAsking } from './seen-works.js'
import { storyWords } from './wish.js'

export interface PostWork extends NamedWork {
  /** Whether it is disliked, dropped or already seen, so that nothing like it is wished. */
  readonly isRefused: boolean
}

export interface PostQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly titles: Pick<TitleLookup, 'sure'>
  readonly known: KnownWorks
  readonly tables: PostTables
}

export type PostTables = Pick<
  QueryTables,
  | 'wishes'
  | 'asks'
  | 'seen'
  | 'likes'
  | 'dislikes'
  | 'alreadySeen'
  | 'negations'
  | 'negationGap'
  | 'tooMuch'
  | 'turns'
  | 'joins'
  | 'filler'
  | 'around'
> & { readonly factLength: (begin: number) => number }

const isAgainst = ({ kind }: Saying) => kind === 'refused' || kind === 'denied'

/** What follows a work of which something is said: `monster was close`. */
const predicates = new Set(
  'is was were are has had got made feels felt left hit kept blew broke changed ruined destroyed too fan fans'.split(
    ' ',
  ),
)
/** So many words may be a title by chance. */
const maxEverydayWords = 2
const speakers = new Set(['i', 'im', 'me', 'my', 'us', 'our'])
/** So far behind a work somebody tells what it did to them. */
const maxPredicateWords = 8
/** Before a word that is no name: `a vagabond`. */
const determiners = new Set('a an the this that his her their my some any'.split(' '))
/** Before words that are no title: `a death note from a god`, `something about kids on the slope`. */
const articles = new Set(['a', 'an', 'about'])
/** Names that are looked for behind what is said of them. */
const maxSpeltWords = 6
/** So many words of a list may be a work that nobody knows. */
const maxUnknownWords = 3
/** Words between those of a list: `X, also Y`. */
const besides = new Set(['also', 'then', 'even', 'both'])

/** @param taken works that are read otherwise */
export function worksOfPost(asked: PostQuery, taken: readonly NamedWork[]): readonly PostWork[] {
  const { words, tables, known, titles } = asked
  if (titles.sure === undefined) return []
  const sayings = createSayings(asked)
  const works: PostWork[] = []
  for (let position = 0; position < words.length;) {
    const group = isTaken(position) ? [] : groupAt(position)
    const last = group.at(-1)
    const said = sayings.before(position)
    position = last?.end ?? position + 1
    // Who asks for works themselves wants no others.
    if (last === undefined || said.kind === 'asked') continue
    const isRefused =
      !isOwner(last) && (isAgainst(said) || sayings.isRefusedAfter(last.end))
    const told = isRefused && isAgainst(said) ? sayings.endOf(last.end) : last.end
    group.forEach((work) => {
      works.push({ ...work, isRefused, end: work === last ? told : work.end })
    })
    position = Math.max(position, told)
  }
  return isPost(asked, works) && !isTitleAlone(asked, works) ? works : []

  function isTaken(position: number): boolean {
    return taken.some(({ begin, end }) => begin <= position && position < end)
  }

  /** The works of a list that begins at a word. */
  function groupAt(begin: number): readonly NamedWork[] {
    const said = sayings.before(begin)
    const isNext = taken.some(({ end }) => end < begin && linkedFrom(end) === begin)
    if (isTold(begin) && !isNext && said.kind === 'none') return []
    const isMeant = isNext || isSaid(said, begin)
    const first = (isMeant ? (knownAt(begin) ?? spelt(begin)) : undefined) ?? sureAt(begin, said)
    if (first !== undefined) return listFrom(first)
    const framed = isFirst(begin) ? knownAt(begin) : undefined
    const list = framed ? listFrom(framed) : []
    const isListed = list.length > 1 && list.some(({ begin }) => sureAt(begin, said))
    return isListed || isPredicate(list.at(-1)?.end ?? words.length) ? list : []
  }

  /** `X's ending` is no work. */
  function isOwner({ end }: NamedWork): boolean {
    const last = words[end - 1]
    return end < words.length && /['’]s?$/.test(asked.query.slice(last?.begin, last?.end))
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

  /** The known work that begins at a word, before what is said of it, too: `monster was close`. */
  function knownAt(begin: number): NamedWork | undefined {
    const work = known.at(begin)
    if (work !== undefined && (work.similarity === 1 || !isEveryday(begin, work.end))) return work
    const most = Math.min(words.length, begin + maxTitleWords)
    for (let end = begin + 1; end < most && words[end - 1]?.endsClause === false; end += 1) {
      const isSaidOf = predicates.has(words[end]?.folded ?? '')
      if (isSaidOf || tables.tooMuch.longestAt(words, end)) return known.of(begin, end)
    }
    return undefined
  }

  /** The name that words are, whatever follows: `dropped SAO after five episodes`. */
  function spelt(begin: number): NamedWork | undefined {
    for (let end = Math.min(words.length, begin + maxSpeltWords); end > begin; end -= 1) {
      const work = isEveryday(begin, end) ? undefined : known.of(begin, end)
      if (work?.similarity === 1) return work
    }
    return undefined
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

  /** Whether what is said of works ends at a word, so that one follows. */
  function isSaid({ kind, end }: Saying, begin: number): boolean {
    const isLead = ({ stem }: QueryWord) => leadWords.has(stem)
    return (kind === 'liked' || kind === 'refused') && words.slice(end, begin).every(isLead)
  }

  /** A name that is hardly anything else. */
  function sureAt(begin: number, said: Saying): NamedWork | undefined {
    for (let end = Math.min(words.length, begin + maxTitleWords); end > begin; end -= 1) {
      const [first, last] = [words[begin], words[end - 1]]
      const text = asked.query.slice(first?.begin, last?.end).replace(/['’]s$/, '')
      const work = namedBy(titles.sure?.(text) ?? [], begin, end)
      if (work === undefined) continue
      const before = words[begin - 1]?.folded ?? ''
      const isPlain = articles.has(before) || (end - begin === 1 && determiners.has(before))
      const isOther = isPlain || words[end]?.folded === 'of' || isEveryday(begin, end)
      return isOther && said.kind === 'none' ? undefined : work
    }
    return undefined
  }

  /** Whether so few words are facts or say nothing: `slam dunk`. */
  function isEveryday(begin: number, end: number): boolean {
    let at = begin
    if (end - begin > maxEverydayWords) return tables.factLength(begin) >= end - begin
    while (at < end) {
      const length = Math.max(
        tables.factLength(at),
        tables.filler.longestAt(words, at)?.length ?? 0,
      )
      if (length === 0) return false
      at += length
    }
    return true
  }

  /** Whether a clause begins at a word, or says nothing before it. */
  function isFirst(position: number): boolean {
    if ([tables.turns, tables.joins].some((table) => table.longestAt(words, position - 1)))
      return true
    for (let at = position - 1; at >= 0 && words[at]?.endsClause === false; at -= 1) {
      if (tables.filler.longestAt(words, at) === undefined) return false
    }
    return !determiners.has(words[position - 1]?.folded ?? '')
  }

  function isPredicate(end: number): boolean {
    if (words[end - 1]?.endsClause !== false) return false
    if (predicates.has(words[end]?.folded ?? '') || sayings.isRefusedAfter(end)) return true
    for (let at = end; at < Math.min(words.length, end + maxPredicateWords); at += 1) {
      if (speakers.has(words[at]?.folded ?? '')) return true
      if (words[at]?.endsClause) return false
    }
    return false
  }

  /** Whether a story is told before a word of its sentence. */
  function isTold(position: number): boolean {
    for (let at = position - 1; at >= 0; at -= 1) {
      const between = asked.query.slice(words[at]?.end, words[at + 1]?.begin)
      if (/[.?!]/.test(between)) return false
      if (storyWords.has(words[at]?.folded ?? '') && words[at]?.folded !== 'you') return true
    }
    return false
  }
}

/** Words after a work that has something else: `naruto with a girl`; what has `the` is the work's own. */
const indefinite = new Set(['a', 'an', 'more', 'less', 'better'])
/** Who names so many works tells no scene. */
const minNamed = 2

/** Whether something is asked for, rather than a scene told. */
function isPost({ words, tables }: PostQuery, works: readonly PostWork[]): boolean {
  const [first] = works
  if (first === undefined) return false
  const isNamed = (position: number) =>
    works.some(({ begin, end }) => begin <= position && position < end)
  const asks = (position: number) =>
    tables.asks.longestAt(words, position) !== undefined && !isNamed(position)
  const isChanged =
    first.begin === 0 &&
    words[first.end]?.folded === 'with' &&
    indefinite.has(words[first.end + 1]?.folded ?? '')
  return (
    isChanged ||
    isOfSpeaker(words, first) ||
    works.length >= minNamed ||
    isAsking({ words, tables }) ||
    words.some((_, position) => asks(position))
  )
}

/** Whether a query begins with a work and goes on with who speaks: `dungeon meshi is over and i'm sad`. */
const isOfSpeaker = (words: readonly QueryWord[], { begin, end }: NamedWork): boolean =>
  begin === 0 &&
  words[end - 1]?.endsClause === false &&
  words.slice(end, end + maxPredicateWords).some(({ folded }) => speakers.has(folded))

/** Words for a part of a work: who asks for `the last season of naruto` wants that. */
const partWords = new Set(
  'season part arc episode chapter volume film movie ova special filler order list dub sub info'.split(
    ' ',
  ),
)

/** Who says nothing else, or names a part, wants the work itself: `toradora please`. */
function isTitleAlone(
  { words, tables: { asks, filler, wishes, around } }: PostQuery,
  works: readonly PostWork[],
): boolean {
  const [only, ...others] = works
  if (only === undefined || others.length > 0 || only.isRefused) return false
  const isPart = (position: number) => partWords.has(words[position]?.stem ?? '')
  if (isPart(only.end)) return true
  if (words[only.begin - 1]?.folded === 'of' && isPart(only.begin - 2)) return true
  for (let at = 0; at < words.length;) {
    if (at === only.begin) at = only.end
    if (at >= words.length) return true
    if (asks.longestAt(words, at) !== undefined) return false
    const lengths = [wishes, filler, around].map((table) => table.longestAt(words, at)?.length ?? 0)
    const length = Math.max(...lengths)
    if (length === 0) return false
    at += length
  }
  return true
}

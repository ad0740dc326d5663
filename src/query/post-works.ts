/**
 * Works that somebody who asks for something names anywhere, and whether more like them is wanted: `monster was close.
 * tell me another`, `dropped bleach after three episodes`.
 */
import { isEndingAt } from './excluded-title.js'
import { leadWords, type NamedWork } from './named-works.js'
import { createPostNames, determiners, type PostQuery, predicates } from './post-names.js'
import type { QueryWord } from './query-words.js'
import { createSayings, maxClauseWords, type Saying } from './sayings.js'
import { isAsking } from './seen-works.js'
import { isToldText } from './told-text.js'
import { storyWords } from './wish.js'

export interface PostWork extends NamedWork {
  /** Whether it is disliked, dropped or already seen, so that nothing like it is wished. */
  readonly isRefused: boolean
}

const isAgainst = ({ kind }: Saying) => kind === 'refused' || kind === 'denied'

const speakers = new Set(['i', 'im', 'me', 'my', 'us', 'our'])
/** So far behind a work somebody tells what it did to them. */
const maxPredicateWords = 8
/** What is told of somebody as it happens; of works, mostly what they are. */
const present = new Set(['is', 'are', 'has'])
/** @param taken works that are read otherwise */
export function worksOfPost(asked: PostQuery, taken: readonly NamedWork[]): readonly PostWork[] {
  const { query, words, tables } = asked
  const asks = asksAt(asked)
  if (asksName(asked) || isToldText(asked, asks)) return []
  const sayings = createSayings(asked)
  const names = createPostNames(asked, isTaken)
  const works: PostWork[] = []
  for (let position = 0; position < words.length;) {
    const group = isTaken(position) ? [] : groupAt(position)
    const last = group.at(-1)
    const said = sayings.before(position)
    position = last?.end ?? names.passed(position)
    // Who asks for works themselves wants no others.
    if (last === undefined || said.kind === 'asked') continue
    const refusedTo = sayings.refusedAfter(last.end)
    const isRefused = !isOwner(last) && (isAgainst(said) || refusedTo !== undefined)
    const toldTo = isAgainst(said) ? sayings.endOf(last.end) : (refusedTo ?? last.end)
    const told = isRefused ? toldTo : last.end
    group.forEach((work) => {
      works.push({ ...work, isRefused, end: work === last ? told : work.end })
    })
    position = Math.max(position, told)
  }
  const sure = works.filter(({ begin }) => names.sureAt(begin, false))
  return isPost(asked, works, sure.length) && !isTitleAlone(asked, works) ? works : []

  function isTaken(position: number): boolean {
    return taken.some(({ begin, end }) => begin <= position && position < end)
  }

  /** The works of a list that begins at a word. */
  function groupAt(begin: number): readonly NamedWork[] {
    const said = sayings.before(begin)
    const isNext = taken.some(({ end }) => end < begin && names.linkedFrom(end) === begin)
    const isTold = tellsBefore(begin)
    if (isTold && !isNext && said.kind === 'none') return []
    // What a story tells is looked up by its spelling alone: `and she loves ham`.
    const isMeant = isNext || (!isTold && isSaid(said, begin))
    const named = isMeant ? (names.knownAt(begin) ?? names.spelt(begin)) : undefined
    const first = named ?? names.sureAt(begin, said.kind !== 'none')
    if (first !== undefined) return names.listFrom(first)
    const isFramed = (asks || isOfSpeaker(asked, { begin, end: begin + 1 })) && mayBeFirst(begin)
    const framed = isFramed ? names.knownAt(begin) : undefined
    const list = framed ? names.listFrom(framed) : []
    const isListed = list.length > 1 && list.some((work) => names.sureAt(work.begin, false))
    const isOnlyTold = list.length === 1 && framed !== undefined && isStory(framed)
    return isListed || (!isOnlyTold && isPredicate(list.at(-1)?.end ?? words.length)) ? list : []
  }

  /** `monster is loose in a city` tells a story, and `monster is great` of a work. */
  function isStory({ begin, end }: NamedWork): boolean {
    if (!present.has(words[end]?.folded ?? '') || !names.isEveryday(begin, end)) return false
    for (let at = end + 1; at < Math.min(words.length, end + maxPredicateWords); at += 1) {
      if (speakers.has(words[at]?.folded ?? '') || tables.praises.longestAt(words, at)) return false
      if (words[at]?.endsClause) return true
    }
    return true
  }

  /** `X's ending` is no work. */
  function isOwner({ end }: NamedWork): boolean {
    const last = words[end - 1]
    return isEndingAt(words, end) && /['’]s?$/.test(query.slice(last?.begin, last?.end))
  }

  /** Whether what is said of works ends at a word, so that one follows. */
  function isSaid({ kind, end }: Saying, begin: number): boolean {
    const isLead = ({ stem }: QueryWord) => leadWords.has(stem)
    return (kind === 'liked' || kind === 'refused') && words.slice(end, begin).every(isLead)
  }

  /** Whether a clause begins at a word, or says nothing before it. */
  function isFirst(position: number): boolean {
    const isFiller = (at: number) => tables.filler.longestAt(words, at) !== undefined
    if (determiners.has(words[position]?.folded ?? '')) return false
    if (isFiller(position) && isFiller(position + 1)) return false
    if ([tables.turns, tables.joins].some((table) => table.longestAt(words, position - 1)))
      return true
    const first = Math.max(0, position - maxClauseWords)
    for (let at = position - 1; at >= first && words[at]?.endsClause === false; at -= 1) {
      if (!isFiller(at)) return false
    }
    return !determiners.has(words[position - 1]?.folded ?? '')
  }

  /** Whether something is said of what begins a clause, or it is one of a list: works are slow to look up. */
  function mayBeFirst(begin: number): boolean {
    if (!isFirst(begin)) return false
    for (let at = begin; at < Math.min(words.length, begin + maxClauseWords); at += 1) {
      const { folded = '', endsClause } = words[at] ?? {}
      if (storyWords.has(folded)) return false
      if (at > begin && (predicates.has(folded) || speakers.has(folded))) return true
      if (tables.tooMuch.longestAt(words, at) !== undefined) return true
      if (names.linkedFrom(at + 1) !== undefined) return true
      if (endsClause) return false
    }
    return false
  }

  function isPredicate(end: number): boolean {
    if (words[end - 1]?.endsClause !== false) return false
    if (predicates.has(words[end]?.folded ?? '') || sayings.refusedAfter(end)) return true
    for (let at = end; at < Math.min(words.length, end + maxPredicateWords); at += 1) {
      if (speakers.has(words[at]?.folded ?? '')) return true
      if (words[at]?.endsClause) return false
    }
    return false
  }

  /** Whether a story is told before a word of its sentence; the man of `Chainsaw Man` tells none. */
  function tellsBefore(position: number): boolean {
    const isNamed = (at: number) => works.some(({ begin, end }) => begin <= at && at < end)
    for (let at = position - 1; at >= Math.max(0, position - maxClauseWords); at -= 1) {
      if (isNamed(at)) continue
      const between = query.slice(words[at]?.end, words[at + 1]?.begin)
      if (/[.?!]/.test(between)) return false
      if (storyWords.has(words[at]?.folded ?? '')) return true
    }
    return false
  }
}

/** Words after a work that has something else: `naruto with a girl`; what has `the` is the work's own. */
const indefinite = new Set(['a', 'an', 'more', 'less', 'better'])
/** Who names so many works for sure tells no scene. */
const minSure = 2

/** Whether something is asked for, rather than a scene told. */
function isPost(asked: PostQuery, works: readonly PostWork[], sure: number): boolean {
  const { words, tables } = asked
  const [first] = works
  if (first === undefined) return false
  const isNamed = (position: number) =>
    works.some(({ begin, end }) => begin <= position && position < end)
  const isChanged =
    first.begin === 0 &&
    words[first.end]?.folded === 'with' &&
    indefinite.has(words[first.end + 1]?.folded ?? '')
  // `i think naruto is boring`
  const isOpinion = first.isRefused && speakers.has(words[0]?.folded ?? '')
  return (
    isChanged ||
    isOfSpeaker(asked, first) ||
    isOpinion ||
    sure >= minSure ||
    asksAt({ words, tables }, isNamed)
  )
}

/** Whether anything is asked for, elsewhere than in the name of a work. */
const asksAt = (
  { words, tables }: Pick<PostQuery, 'words' | 'tables'>,
  isNamed: (position: number) => boolean = () => false,
): boolean =>
  isAsking({ words, tables }) ||
  words.some((_, at) => {
    const asked = tables.asks.longestAt(words, at)?.length ?? 0
    return asked > 0 && !isNamed(at) && !isForgotten(words, at, tables)
  })

/** `the angel next door something something` asks for nothing. */
const isForgotten = (
  words: readonly QueryWord[],
  position: number,
  { forgotten }: Pick<PostQuery['tables'], 'forgotten'>,
): boolean =>
  [0, 1, 2].some((back) => (forgotten.longestAt(words, position - back)?.length ?? 0) > back)

/** Who asks what a work is called tells of it by the works that it is like or not: `the one with cells, or something`. */
const asksName = ({ words, tables }: PostQuery): boolean =>
  words.some((_, at) => {
    const length = tables.asksName.longestAt(words, at)?.length ?? 0
    return length > 0 && tables.asks.longestAt(words, at + length) === undefined
  })

/** Whether a query begins with a work and goes on with who speaks: `dungeon meshi is over and i'm sad`. */
const isOfSpeaker = (
  { words, tables: { wordLists } }: PostQuery,
  { begin, end }: Pick<NamedWork, 'begin' | 'end'>,
): boolean =>
  begin === 0 &&
  words[end - 1]?.endsClause === false &&
  !wordLists.deedsOfPeople.has(words[end]?.folded ?? '') &&
  words.slice(end, end + maxPredicateWords).some(({ folded }) => speakers.has(folded))

/** So far behind a part something is said of it: `naruto season one was great`. */
const maxPartWords = 3

/** Who says nothing else, or names a part, wants the work itself: `toradora please`, `last season of naruto`, `hidan no aria scarlet ammo`. */
function isTitleAlone(
  { words, tables: { asks, filler, wishes, around, wordLists } }: PostQuery,
  works: readonly PostWork[],
): boolean {
  const [only] = works
  if (only === undefined || works.some(({ rows }) => rows[0] !== only.rows[0]) || only.isRefused)
    return false
  const isPart = (position: number) => wordLists.partNouns.has(words[position]?.stem ?? '')
  const after = words.slice(only.end, only.end + maxPartWords)
  if (isPart(only.end)) return !after.some(({ folded }) => predicates.has(folded))
  if (words[only.begin - 1]?.folded === 'of' && [2, 3].some((back) => isPart(only.begin - back)))
    return true
  for (let at = 0; at < words.length;) {
    const work = works.find(({ begin }) => begin === at)
    const lengths = [around, wishes, filler].map((table) => table.longestAt(words, at)?.length ?? 0)
    const length = work ? work.end - at : Math.max(...lengths)
    // `any good` asks for nothing else.
    const asked = asks.longestAt(words, at)?.length ?? 0
    if (length === 0 || (asked > 0 && asked >= (lengths[0] ?? 0))) return false
    at += length
  }
  return true
}

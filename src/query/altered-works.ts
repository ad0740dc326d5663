/**
 * Works that a query names to tell how what it wants differs from them, or what it wants to have of them: `Death Note
 * if Light were a girl`, `a Horimiya where nobody drags their feet`, `One Punch Man comedy without superheroes`.
 */
import type { TitleLookup } from './interpretation.js'
import { maxTitleWords, namedBy, type NamedWork } from './named-works.js'
import { endOfRun } from './phrase-run.js'
import { longestOf } from './phrase-table.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { sameTitle } from './read-title.js'

interface AlteringQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly titles: Pick<TitleLookup, 'sure' | 'known'>
  readonly isWish: boolean
  readonly tables: Pick<
    QueryTables,
    'alters' | 'asks' | 'facts' | 'filler' | 'likes' | 'likeSuffixes' | 'turns'
  > & {
    readonly startsExclusion: (position: number) => boolean
  }
}

/** Before a work of which another is wished: `a Horimiya where`. */
const articles = new Set(['a', 'an', 'another'])
/** What follows there. */
const relatives = new Set('where with without but if about set'.split(' '))
/** Behind what somebody wants of a work: `the humor of Gintama`. */
const parts = new Set(['of', 'from', 'in'])

/** The works, if hardly anything else has their names: what a query tells of a work is elsewhere a story. */
export function alteredWorks(asked: AlteringQuery): readonly NamedWork[] {
  const { query, words, titles, isWish, tables } = asked
  const lead = tables.likes.longestAt(words, 0)?.length ?? 0
  const first = firstWork(lead)
  if (first !== undefined) {
    const end = endOfSuffix(first.end)
    if (end > first.end || isAltered(first)) return [{ ...first, end }]
  }
  return isWish ? partlyWished() : []

  /** The work that begins the query behind what is said of none: `is there a K-On where they practice`. */
  function firstWork(start: number): NamedWork | undefined {
    const work = nameAt(start) ?? knownAt(start)
    if (work !== undefined) return work
    const said = longestOf([tables.filler, tables.asks], words, start)
    const length = Math.max(articles.has(words[start]?.folded ?? '') ? 1 : 0, said)
    return length === 0 ? undefined : firstWork(start + length)
  }

  function isAltered({ end, begin }: NamedWork): boolean {
    const length = tables.alters.longestAt(words, end)?.length ?? 0
    const isOneOf =
      articles.has(words[begin - 1]?.folded ?? '') && relatives.has(words[end]?.folded ?? '')
    return length > 0 || isOneOf
  }

  /** `toradora vibes, and they get together early`: the suffix says that a work is an example, whatever follows. */
  function endOfSuffix(end: number): number {
    // `naruto like ramen` is more often a sentence.
    const isVerb = words[end]?.folded === 'like' || words[end - 1]?.endsClause !== false
    return end + (isVerb ? 0 : (tables.likeSuffixes.longestAt(words, end)?.length ?? 0))
  }

  /** The works of which something is wished, or the one that is wished without one of its subjects. */
  function partlyWished(): readonly NamedWork[] {
    const works: NamedWork[] = []
    let isWished = false
    for (let position = 0; position < words.length; position += 1) {
      const isWithin = followsWith(position - 1)
      const work = nameAt(position) ?? (isWithin ? knownAt(position, sameTitle) : undefined)
      if (work === undefined) continue
      const begin = beginOfPart(position)
      if (begin !== undefined) works.push(work)
      if (begin !== undefined && (isTurned(work.end) || followsWith(begin))) isWished = true
      const end = endOfTopics(work.end)
      if (end > work.end && (isWithin || (position === 0 && isTurned(end)))) return [work]
      position = work.end - 1
    }
    return isWished ? works : []
  }

  /** Whether `with` or `with the` stands before a word. */
  function followsWith(position: number): boolean {
    const isThe = words[position]?.folded === 'the'
    return words[isThe ? position - 1 : position]?.folded === 'with'
  }

  /** The word before `humor of` in `the humor of Gintama`. */
  function beginOfPart(position: number): number | undefined {
    if (!parts.has(words[position - 1]?.folded ?? '')) return undefined
    for (let begin = position - 2; begin >= Math.max(0, position - 1 - maxPartWords); begin -= 1) {
      if (endOfTopics(begin) === position - 1) return begin - 1
    }
    return undefined
  }

  function endOfTopics(begin: number): number {
    let end = begin
    while (end < words.length && (end === begin || words[end - 1]?.endsClause === false)) {
      const { length, values = [] } = tables.facts.longestAt(words, end) ?? {}
      if (length === undefined || !values.some(({ fact }) => fact.kind === 'topic')) break
      end += length
    }
    return end
  }

  function isTurned(position: number): boolean {
    if (position >= words.length) return false
    const isTurn = [tables.turns, tables.alters].some((table) => table.longestAt(words, position))
    return isTurn || words[position]?.folded === 'without' || tables.startsExclusion(position)
  }

  function nameAt(begin: number): NamedWork | undefined {
    for (let end = Math.min(words.length, begin + maxTitleWords); end > begin; end -= 1) {
      const text = query.slice(words[begin]?.begin, words[end - 1]?.end).replace(/['’]s$/, '')
      const isMeant = !isEveryday(begin, end) || (end - begin > 1 && isForOthers(end))
      const work = !isMeant ? undefined : namedBy(titles.sure?.(text) ?? [], begin, end)
      if (work !== undefined) return work
    }
    return undefined
  }

  /** `slam dunk for girls` names the work, which `slam dunk` may not. */
  function isForOthers(end: number): boolean {
    return words[end]?.folded === 'for' && tables.alters.longestAt(words, end) !== undefined
  }

  /** `yotsuba` and `aot` name works where these are expected. */
  function knownAt(begin: number, least = 0): NamedWork | undefined {
    if (isEveryday(begin, begin + 1)) return undefined
    const text = query.slice(words[begin]?.begin, words[begin]?.end)
    const work = namedBy(titles.known?.(text) ?? [], begin, begin + 1)
    return work !== undefined && work.similarity >= least ? work : undefined
  }

  /** `slam dunk` and `a silent voice` are said of other things, too. */
  function isEveryday(begin: number, end: number): boolean {
    const lengthAt = (at: number) => longestOf([tables.facts, tables.filler], words, at)
    return endOfRun(begin, end, lengthAt) >= end
  }
}

const maxPartWords = 3

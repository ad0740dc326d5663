/**
 * Works of which it is said right behind them that they are not what is meant, or how good they are: `thought it was
 * Laputa but no`, `Golden Time sucks`, `Gurren Lagann is 10/10`.
 */
import type { TitleLookup } from './interpretation.js'
import { maxTitleWords, namedBy, type NamedWork } from './named-works.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { nearTitle, sameTitle } from './read-title.js'
import { fillerOf } from './rest-of-query.js'
import { articles, determiners } from './small-words.js'
import { areFacts } from './subject.js'

export interface JudgedQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly isWish: boolean
  readonly tables: Pick<QueryTables, 'bearers' | 'denied' | 'facts' | 'filler' | 'tooMuch'> &
    Pick<QueryTables, 'joins' | 'known' | 'likes' | 'partsOfWorks' | 'turns' | 'verdicts'>
  readonly titles: Pick<TitleLookup, 'exact' | 'known' | 'match' | 'sure'>
}

export interface JudgedWork extends NamedWork {
  readonly kind: 'like' | 'title'
  /** Whether it is not what is wished. */
  readonly excluded: boolean
}

interface Judgement {
  readonly length: number
  /**
   * `rating`: what it is said of is a work or a part of one, however its title is typed; `verdict`: or anything else;
   * `denial`: or something that may be the work.
   */
  readonly kind: 'rating' | 'verdict' | 'denial'
  readonly isGood: boolean
}

/** Of ten. */
const leastGood = 7
const mostBad = 5
const links = new Set('is was are a gets got like'.split(' '))
/** So many of them may stand before a rating: `is like a 3/10`. */
const maxLinks = 4

export function judgedWorks(asked: JudgedQuery): readonly JudgedWork[] {
  const { query, words, isWish, tables, titles } = asked
  const isFiller = fillerOf(words, tables.filler)
  const isTitle = () => titles.match(query).some(({ similarity }) => similarity > nearTitle)
  return [...words.keys()].slice(1).flatMap((position): JudgedWork | readonly JudgedWork[] => {
    const judgement = ratingAt(position) ?? verdictAt(position)
    const work = judgement && workBefore(position, judgement.kind)
    if (judgement === undefined || work === undefined || !isJudged(work, judgement.kind)) return []
    const { length, isGood } = judgement
    const kind = isGood ? 'like' : 'title'
    return { ...work, end: position + length, kind, excluded: !isGood }
  })

  /** `3/10`, `is like a 3/10 for me` */
  function ratingAt(position: number): Judgement | undefined {
    let at = position
    while (at < position + maxLinks && links.has(words[at]?.folded ?? '')) at += 1
    const [rate, most] = [words[at], words[at + 1]]
    const isOfTen = most?.folded === '10' && query.slice(rate?.end, most.begin).trim() === '/'
    const value = Number(rate?.folded)
    if (!isOfTen || Number.isNaN(value) || (value > mostBad && value < leastGood)) return undefined
    // `One Piece 2/10 pacing` rates no work.
    if (!most.endsClause && tables.partsOfWorks.longestAt(words, at + 2)) return undefined
    return { length: at + 2 - position, kind: 'rating', isGood: value >= leastGood }
  }

  /** In a told story, somebody else is boring. */
  function verdictAt(position: number): Judgement | undefined {
    const denied = tables.denied.longestAt(words, position)
    const verdict = isWish
      ? (tables.tooMuch.longestAt(words, position) ?? tables.verdicts.longestAt(words, position))
      : undefined
    const { length } = denied ?? verdict ?? {}
    const last = words[position + (length ?? 0) - 1]
    const end = position + (length ?? 0)
    const endsThere = end === words.length || last?.endsClause === true
    const isSaid = endsThere || isFiller[end] === true
    // `Naruto and no one else`
    const isCut = denied !== undefined && last?.folded === 'no' && !endsThere
    if (length === undefined || !isSaid || isCut) return undefined
    return { length, kind: denied ? 'denial' : 'verdict', isGood: false }
  }

  function isJudged({ begin }: NamedWork, kind: Judgement['kind']): boolean {
    if (kind === 'rating') return isRated(begin)
    // `like Erased but not that one` wants what is like it.
    if (kind === 'denial') return tables.likes.lengthBefore(words, begin) === 0
    // `my senpai is annoying` tells of somebody.
    const before = words[begin - 1]?.folded ?? ''
    return (articles.has(before) || !determiners.has(before)) && !isTitle()
  }

  /** A rated work begins its clause, or is joined to another rating. */
  function isRated(begin: number): boolean {
    const isJoin = [tables.turns, tables.joins].some((table) => table.longestAt(words, begin - 1))
    const before = words[begin - 1]
    return before === undefined || before.endsClause || isJoin || before.folded === '10'
  }

  /** The title that ends before a word, or before somebody of whom it tells: `the barakamon kid`. */
  function workBefore(end: number, kind: Judgement['kind']): NamedWork | undefined {
    const isOfSomebody = tables.bearers.longestAt(words, end - 1) !== undefined
    return workTo(end, kind) ?? (isOfSomebody ? workTo(end - 1, kind) : undefined)
  }

  /** The nearest one, and of those the longest. */
  function workTo(end: number, kind: Judgement['kind']): NamedWork | undefined {
    let begin = end
    let nearest: NamedWork | undefined
    while (begin > Math.max(0, end - maxTitleWords)) {
      if (begin < end && words[begin - 1]?.endsClause) break
      begin -= 1
      const text = query.slice(words[begin]?.begin, words[end - 1]?.end)
      const work = isEveryday(begin, end)
        ? undefined
        : namedBy(lookOf(kind, end - begin)(text), begin, end)
      if (work !== undefined && work.similarity >= (nearest?.similarity ?? 0)) nearest = work
    }
    return nearest
  }

  function lookOf(kind: Judgement['kind'], length: number): TitleLookup['match'] {
    const { exact, known = exact, sure = exact } = titles
    if (kind === 'rating') return length > 1 ? known : sure
    if (kind === 'denial') return length > 1 ? exact : known
    // `barakamon` is nothing else, and `senpai` begins titles.
    const whole = (text: string) => known(text).filter(({ similarity }) => similarity >= sameTitle)
    return length > 1 ? sure : whole
  }

  /** `school`, `the show` and `the animation` are hardly ever titles. */
  function isEveryday(begin: number, end: number): boolean {
    const said = words.slice(begin, end)
    const isPart = tables.partsOfWorks.longestAt(words, end - 1) !== undefined
    const isKnown = end - begin === 1 && tables.known.has(words[begin]?.stem ?? '')
    return (
      isKnown || isPart || areFacts(said, tables) || fillerOf(said, tables.filler).every(Boolean)
    )
  }
}

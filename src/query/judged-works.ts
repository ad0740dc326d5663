/**
 * Works of which it is said right behind them that they are not what is meant, or how good they are: `thought it was
 * Laputa but no`, `Golden Time sucks`, `Gurren Lagann is 10/10`.
 */
import type { TitleLookup } from './interpretation.js'
import { maxTitleWords, namedBy, type NamedWork } from './named-works.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { fillerOf } from './rest-of-query.js'
import { areFacts } from './subject.js'

export interface JudgedQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly isWish: boolean
  readonly tables: Pick<QueryTables, 'bearers' | 'denied' | 'facts' | 'filler' | 'tooMuch'>
  readonly titles: Pick<TitleLookup, 'exact' | 'known'>
}

export interface JudgedWork extends NamedWork {
  readonly kind: 'like' | 'title'
  /** Whether it is not what is wished. */
  readonly excluded: boolean
}

interface Judgement {
  readonly length: number
  /** Whether what it is said of is a work, however its title is typed: nothing else is a 3/10. */
  readonly isRating: boolean
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
  return [...words.keys()].slice(1).flatMap((position): JudgedWork | readonly JudgedWork[] => {
    const judgement = ratingAt(position) ?? verdictAt(position)
    const work = judgement && workBefore(position, judgement.isRating)
    if (judgement === undefined || work === undefined) return []
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
    return { length: at + 2 - position, isRating: true, isGood: value >= leastGood }
  }

  /** In a told story, somebody else is boring. */
  function verdictAt(position: number): Judgement | undefined {
    const { length } =
      tables.denied.longestAt(words, position) ??
      (isWish ? tables.tooMuch.longestAt(words, position) : undefined) ??
      {}
    const last = words[position + (length ?? 0) - 1]
    const end = position + (length ?? 0)
    const endsThere = end === words.length || last?.endsClause === true
    const isSaid = endsThere || isFiller[end] === true
    return length !== undefined && isSaid ? { length, isRating: false, isGood: false } : undefined
  }

  /** The title that ends before a word, or before somebody of whom it tells: `the barakamon kid`. */
  function workBefore(end: number, isRated: boolean): NamedWork | undefined {
    const isOfSomebody = tables.bearers.longestAt(words, end - 1) !== undefined
    return workTo(end, isRated) ?? (isOfSomebody ? workTo(end - 1, isRated) : undefined)
  }

  /** The nearest one, and of those the longest. */
  function workTo(end: number, isRated: boolean): NamedWork | undefined {
    let begin = end
    let nearest: NamedWork | undefined
    while (begin > Math.max(0, end - maxTitleWords)) {
      if (begin < end && words[begin - 1]?.endsClause) break
      begin -= 1
      const text = query.slice(words[begin]?.begin, words[end - 1]?.end)
      const isSpelt = end - begin > 1 && !isRated
      const look = isSpelt ? titles.exact : (titles.known ?? titles.exact)
      const work = isEveryday(begin, end) ? undefined : namedBy(look(text), begin, end)
      if (work !== undefined && work.similarity >= (nearest?.similarity ?? 0)) nearest = work
    }
    return nearest
  }

  /** `school` and `the show` are hardly ever titles. */
  function isEveryday(begin: number, end: number): boolean {
    const said = words.slice(begin, end)
    return areFacts(said, tables) || fillerOf(said, tables.filler).every(Boolean)
  }
}

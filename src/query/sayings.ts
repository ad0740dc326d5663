/** What is said of a work in its clause: that somebody likes it, has dropped it, or asks for it. */
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { denials } from './small-words.js'

export interface Saying {
  readonly kind: 'none' | 'liked' | 'refused' | 'denied' | 'asked'
  /** The word that follows what says so. */
  readonly end: number
}

export type SayingTables = Pick<
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
  | 'filler'
>

interface SayingQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly tables: SayingTables
}

export interface Sayings {
  /** What its clause says before a word. */
  before(position: number): Saying
  /** The word after what its clause says behind a work that nothing like it is wanted: `X left me cold`. */
  refusedAfter(end: number): number | undefined
  /** Where what is told of a refused work ends: `dropped X because the hero is too perfect`. */
  endOf(end: number): number
}

/** What ends the clause of a work that is known: `X and Y done`. */
const ended = new Set(['done', 'already', 'down', 'finished', 'watched', 'seen'])
const maxTold = 8
/** More words are several clauses whose marks nobody typed, and what they say is of something else. */
export const maxClauseWords = 40
const maxEnding = 3

type Step = Saying['kind']

export function createSayings({ query, words, tables }: SayingQuery): Sayings {
  const { seen, likes, dislikes, alreadySeen, negations, negationGap, turns, filler } = tables
  /** Of each word, since all words that follow ask about it. */
  const phrasesAt = words.map((): ReturnType<typeof phrasesFrom> | undefined => undefined)
  return { before, refusedAfter, endOf }

  function before(position: number): Saying {
    let step: Step = 'none'
    let end = position
    for (let at = clauseStart(position); at < position;) {
      const [next, length] = stepAt(at, position, step)
      if (next !== step || next !== 'none') end = next === step ? end : at + length
      step = next
      at += length
    }
    // Who asks for a work itself says nothing else between.
    const isAskedFor = step === 'asked' && isGap(end, position)
    return { kind: step === 'asked' && !isAskedFor ? 'none' : step, end }
  }

  function stepAt(at: number, most: number, step: Step): readonly [Step, number] {
    let [best, longest]: readonly [Step, number] = ['none', 0]
    for (const [kind, length] of (phrasesAt[at] ??= phrasesFrom(at))) {
      if (length > longest && at + length <= most) [best, longest] = [kind, length]
    }
    if (longest > 0) return [best === 'liked' && step === 'denied' ? 'refused' : best, longest]
    const isKept = step === 'liked' || step === 'refused' || isGap(at, at + 1)
    return [isKept ? step : 'none', 1]
  }

  function phrasesFrom(at: number): readonly (readonly [Step, number])[] {
    const lengthIn = (table: QueryTables['seen']) => table.longestAt(words, at)?.length ?? 0
    const phrases: readonly (readonly [Step, number])[] = [
      ['refused', lengthIn(dislikes)],
      ['refused', lengthIn(alreadySeen)],
      ['liked', lengthIn(seen)],
      ['liked', lengthIn(likes)],
      ['denied', Math.max(lengthIn(negations), denials.has(words[at]?.folded ?? '') ? 1 : 0)],
      ['none', lengthIn(turns)],
      ['asked', lengthIn(tables.wishes)],
      ['none', lengthIn(tables.asks)],
    ]
    return phrases.filter(([, length]) => length > 0)
  }

  function isGap(begin: number, end: number): boolean {
    for (let at = begin; at < end; at += 1) {
      if (![negationGap, filler].some((table) => table.longestAt(words, at) !== undefined))
        return false
    }
    return true
  }

  /** A colon goes on: `hated: Konosuba`. */
  function clauseStart(position: number): number {
    const first = Math.max(0, position - maxClauseWords)
    let start = position
    while (start > first) {
      const between = query.slice(words[start - 1]?.end, words[start]?.begin)
      if (words[start - 1]?.endsClause === true && !/^\s*:/.test(between)) return start
      start -= 1
    }
    return start
  }

  function refusedAfter(end: number): number | undefined {
    if (words[end - 1]?.endsClause) return undefined
    for (let at = end; at < Math.min(words.length, end + maxTold); at += 1) {
      if (turns.longestAt(words, at) !== undefined) return undefined
      const said = tables.tooMuch.longestAt(words, at) ?? alreadySeen.longestAt(words, at)
      if (said !== undefined) return at + said.length
      const isLast = at + 1 === words.length || words[at]?.endsClause === true
      const isEnded = at - end < maxEnding && ended.has(words[at]?.folded ?? '')
      if (isLast) return isEnded ? at + 1 : undefined
    }
    return undefined
  }

  function endOf(end: number): number {
    let at = end
    while (at < words.length && words[at - 1]?.endsClause === false) {
      if ([turns, likes, tables.wishes].some((table) => table.longestAt(words, at))) break
      at += 1
    }
    return at
  }
}

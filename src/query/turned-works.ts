/**
 * Works that are named without a word before them, by what the query says behind them: `X but darker`, `X without the
 * romance`, `X and Y, what next`.
 */
import { isChance, maxTitleWords, type NamedWork } from './named-works.js'
import { covers } from './phrase-run.js'
import { nearTitle } from './read-title.js'
import type { ReferenceQuery } from './reference-query.js'
import { speakers } from './small-words.js'

/** Of what follows `but` in a told story. */
const maxTurnWords = 4

export function turnedWorks(asked: ReferenceQuery): readonly NamedWork[] | undefined {
  const ends = [...asked.words.keys()].slice(1, maxTitleWords)
  return (
    firstOf(ends, (end) => turnedAt(asked, end)) ??
    firstOf(ends.toReversed(), (end) => changedAt(asked, end)) ??
    firstOf(ends, (end) => askedAt(asked, end))
  )
}

const firstOf = <T>(positions: readonly number[], find: (position: number) => T | undefined) =>
  positions.reduce<T | undefined>((found, position) => found ?? find(position), undefined)

/** `X but darker`; in a told story, `but` after a title is a chance where more follows. */
function turnedAt(asked: ReferenceQuery, turn: number): readonly NamedWork[] | undefined {
  const { words, tables, titles, isWish, named, known } = asked
  const said = tables.turns.longestAt(words, turn)
  if (said === undefined || turn + said.length >= words.length) return undefined
  // `I just finished it` says who has.
  if (turn === 1 && speakers.has(words[0]?.folded ?? '')) return undefined
  const isShort = words.length - turn - said.length <= maxTurnWords
  if (!isWish && !isShort) return undefined
  if (isWish) {
    const work = named.titleOf(0, turn)
    return work && !isChance(work) ? [work] : known.listOf(0, turn)
  }
  const work = named.titleOf(0, turn, titles.exact, turn > 1)
  return work && [work]
}

/** `X without the romance`, `X no romance`, `X with girls`; but `romance no harem` names none. */
function changedAt(asked: ReferenceQuery, turn: number): readonly NamedWork[] | undefined {
  const { words, tables, isWish, named, known } = asked
  const plain = Math.max(tables.factLength(0), tables.filler.longestAt(words, 0)?.length ?? 0)
  if (!isWish || plain >= turn || !changes(asked, turn)) return undefined
  const near = named.titleOf(0, turn)
  return known.listOf(0, turn) ?? (near && near.similarity > nearTitle ? [near] : undefined)
}

/** `X and Y, what next` */
function askedAt(asked: ReferenceQuery, end: number): readonly NamedWork[] | undefined {
  const { words, tables, isWish, known } = asked
  if (!isWish || tables.wishes.longestAt(words, end) === undefined) return undefined
  const works = known.listOf(0, end)
  return works && works.length > 1 ? works : undefined
}

/** Whether a wish or an exclusion begins at a word: the `no` of `Shingeki no Kyojin` is none. */
function changes({ words, tables }: ReferenceQuery, turn: number): boolean {
  const word = words[turn]?.folded
  if (word === 'with') return isWished(turn) || isWished(turn + 1)
  return word === 'without' ? turn + 1 < words.length : tables.startsExclusion(turn)

  /** Whether all from a word on are facts. */
  function isWished(begin: number): boolean {
    return begin < words.length && covers(begin, words.length, tables.factLength)
  }
}

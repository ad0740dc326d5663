/** Where a query begins to say what it does not want: `no harem`, `i'm sick of isekai`, `besides Toradora`. */
import type { FactHit } from './exclusions.js'
import type { TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'

export interface Negation {
  /** How many words it has. */
  readonly length: number
  /**
   * `lack`: what a work has not, as `without`; `seen`: works alone; `dislike`: what the speaker says of works;
   * `not`: any other.
   */
  readonly kind: 'lack' | 'not' | 'dislike' | 'seen'
}

export interface Negatable {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly tables: Pick<
    QueryTables,
    'negations' | 'exceptions' | 'dislikes' | 'seen' | 'lacks' | 'turns' | 'joins'
  >
  readonly titles: Pick<TitleLookup, 'exact'>
  readonly isWish: boolean
  readonly factAt: (position: number) => FactHit | undefined
}

export function negationAt(asked: Negatable, position: number): Negation | undefined {
  const { words, tables, isWish, factAt } = asked
  const plain = tables.negations.longestAt(words, position)
  const except = isWish ? tables.exceptions.longestAt(words, position) : undefined
  const said = speakerAt(asked, position)
  const length = Math.max(plain?.length ?? 0, except?.length ?? 0)
  if (said !== undefined && said.length > length) return said
  if (length === 0 || isOfTitle(asked, position, length)) return undefined
  // A phrase such as `no memory`, which begins in the negation and goes beyond it, is none.
  for (let offset = 1; offset < length; offset += 1) {
    if (offset + (factAt(position + offset)?.length ?? 0) > length) return undefined
  }
  const isLack = tables.lacks.longestAt(words, position)?.length === length
  return { length, kind: isLack ? 'lack' : 'not' }
}

/** Who asks. */
const speakers = new Set('i im ive we weve'.split(' '))
const adverbs = new Set('am really just so also kinda have been getting personally'.split(' '))

/**
 * What the speaker says of works, at the beginning of a clause: `hated Nisekoi`, `but i'm tired of isekai`. In a told
 * story, somebody else may be tired of something.
 */
function speakerAt({ words, tables, isWish }: Negatable, position: number): Negation | undefined {
  const before = words[position - 1]
  const isTurn = [tables.turns, tables.joins].some((table) => table.longestAt(words, position - 1))
  if (before !== undefined && !before.endsClause && !isTurn) {
    if (!isWish || !speakers.has(words[position]?.folded ?? '')) return undefined
  }
  let from = position
  while (speakers.has(words[from]?.folded ?? '') || adverbs.has(words[from]?.folded ?? ''))
    from += 1
  const isSpeaker = words.slice(position, from).some(({ folded }) => speakers.has(folded))
  if (!isWish && !isSpeaker) return undefined
  const disliked = tables.dislikes.longestAt(words, from)?.length
  const seen = isWish ? seenAt(position, from) : undefined
  if (disliked !== undefined) return { length: from - position + disliked, kind: 'dislike' }
  return seen === undefined ? undefined : { length: seen, kind: 'seen' }

  /** `i know` has a speaker of its own. */
  function seenAt(begin: number, end: number): number | undefined {
    for (let at = end; at >= begin; at -= 1) {
      const found = tables.seen.longestAt(words, at)
      if (found !== undefined) return at - begin + found.length
    }
    return undefined
  }
}

/** So many words of a title may stand before and after one of its words. */
const maxAround = 4

/** `no` of `Kimetsu no Yaiba` and `zero` of `Re:Zero` are words of a title that is spelt so. */
function isOfTitle({ query, words, titles }: Negatable, position: number, length: number): boolean {
  if (length > 1) return false
  for (let begin = Math.max(0, position - maxAround); begin < position; begin += 1) {
    for (let end = position + 1; end <= position + 1 + maxAround; end += 1) {
      const [first, last] = [words[begin], words[end - 1]]
      if (first === undefined || last === undefined) break
      if (titles.exact(query.slice(first.begin, last.end)).length > 0) return true
    }
  }
  return false
}

/** Whether the words before one deny it, as those before `like` of `didn't like Nisekoi` do. */
export function isDenied(
  words: readonly QueryWord[],
  position: number,
  { negations, dislikes }: Pick<QueryTables, 'negations' | 'dislikes'>,
): boolean {
  return [1, 2, 3].some((back) => {
    if (words.slice(position - back, position).some(({ endsClause }) => endsClause)) return false
    const denies = (table: typeof negations) =>
      (table.longestAt(words, position - back)?.length ?? 0) >= back
    return position >= back && (denies(negations) || denies(dislikes))
  })
}

/** Phrases of several words and what they stand for; the longest that begins at a word is found. */
import { type QueryWord, stemsOf } from './query-words.js'

export interface PhraseTable<T> {
  /** The longest phrase that begins at the position, undefined where none does. */
  longestAt(words: readonly QueryWord[], position: number): PhraseHit<T> | undefined
  /** How many words the longest phrase has that ends before the position; 0 where none does. */
  lengthBefore(words: readonly QueryWord[], end: number): number
  /** The stems of the phrases of one word. */
  readonly singleWords: readonly string[]
}

export interface PhraseHit<T> {
  /** How many words it has. */
  readonly length: number
  readonly values: readonly T[]
}

/** The words that may follow those before them, and the values where a phrase ends here. */
interface Node<T> {
  readonly next: Map<string, Node<T>>
  values?: T[]
}

/** @param phrases the same phrase may come with several values, which are kept in their order */
export function createPhraseTable<T>(phrases: Iterable<readonly [string, T]>): PhraseTable<T> {
  const newNode = (): Node<T> => ({ next: new Map() })
  const root = newNode()
  let mostWords = 0
  for (const [phrase, value] of phrases) {
    const stems = stemsOf(phrase)
    if (stems.length === 0) continue
    mostWords = Math.max(mostWords, stems.length)
    let node = root
    for (const stem of stems) {
      const next = node.next.get(stem) ?? newNode()
      node.next.set(stem, next)
      node = next
    }
    node.values ??= []
    if (!node.values.includes(value)) node.values.push(value)
  }
  const longestAt = (words: readonly QueryWord[], position: number): PhraseHit<T> | undefined => {
    let longest: PhraseHit<T> | undefined
    let node = root.next.get(words[position]?.stem ?? '')
    for (let length = 1; node !== undefined; length += 1) {
      if (node.values !== undefined) longest = { length, values: node.values }
      node = node.next.get(words[position + length]?.stem ?? '')
    }
    return longest
  }
  return {
    singleWords: [...root.next].flatMap(([stem, { values }]) => (values ? [stem] : [])),
    longestAt,
    lengthBefore(words, end) {
      for (let length = Math.min(mostWords, end); length > 0; length -= 1)
        if (longestAt(words, end - length)?.length === length) return length
      return 0
    },
  }
}

/** How many words the longest phrase of any of the tables has that begins at a word; 0 where none does. */
export const longestOf = (
  tables: readonly PhraseTable<unknown>[],
  words: readonly QueryWord[],
  position: number,
): number => Math.max(...tables.map((table) => table.longestAt(words, position)?.length ?? 0))

/** Whether words have a phrase of any of the tables. */
export const haveAny = (
  words: readonly QueryWord[],
  ...tables: readonly PhraseTable<unknown>[]
): boolean => words.some((_, position) => longestOf(tables, words, position) > 0)

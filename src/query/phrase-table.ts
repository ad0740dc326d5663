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

/** @param phrases the same phrase may come with several values, which are kept in their order */
export function createPhraseTable<T>(phrases: Iterable<readonly [string, T]>): PhraseTable<T> {
  const valuesOf = new Map<string, T[]>()
  /** Words of the longest phrase by its first word: most words of a query begin none. */
  const longestFrom = new Map<string, number>()
  let mostWords = 0
  for (const [phrase, value] of phrases) {
    const stems = stemsOf(phrase)
    const [first] = stems
    if (first === undefined) continue
    mostWords = Math.max(mostWords, stems.length)
    longestFrom.set(first, Math.max(longestFrom.get(first) ?? 0, stems.length))
    const key = stems.join(' ')
    const values = valuesOf.get(key)
    if (values === undefined) valuesOf.set(key, [value])
    else if (!values.includes(value)) values.push(value)
  }
  const longestAt = (words: readonly QueryWord[], position: number): PhraseHit<T> | undefined => {
    const longest = longestFrom.get(words[position]?.stem ?? '') ?? 0
    const available = Math.min(longest, words.length - position)
    for (let length = available; length > 0; length -= 1) {
      const stems = words.slice(position, position + length).map(({ stem }) => stem)
      const values = valuesOf.get(stems.join(' '))
      if (values !== undefined) return { length, values }
    }
    return undefined
  }
  return {
    singleWords: [...valuesOf.keys()].filter((key) => !key.includes(' ')),
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

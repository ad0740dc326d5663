/** The stems of distinct words, as numbers. */
import type { Stemmer } from './words.js'

export interface StemmedWords {
  /** The distinct stems, in order. */
  readonly stems: readonly string[]
  /**
   * Of each word, the position of its stem. A few words have several stems or none: theirs is
   * `stems.length` plus a position in `others`.
   */
  readonly codes: Uint32Array
  readonly others: readonly (readonly number[])[]
}

export function stemWords(words: readonly string[], stemmer: Stemmer): StemmedWords {
  const stemsOfWord = stemmer.stemEach(words)
  const stems = [...new Set(stemsOfWord.flat())].sort()
  const numbers = new Map(stems.map((stem, position) => [stem, position]))
  const others: (readonly number[])[] = []
  const codes = Uint32Array.from(stemsOfWord, (own) => {
    const positions = own.map((stem) => numbers.get(stem) ?? 0)
    const [first] = positions
    if (positions.length === 1 && first !== undefined) return first
    return stems.length + others.push(positions) - 1
  })
  return { stems, codes, others }
}

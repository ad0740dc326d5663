/** Words of a query that are no word, read as the word of the vocabulary that is a typo away: `detectve`. */
import { distance } from 'fastest-levenshtein'
import { isSuperlative, positivesOf, type QueryWord } from './query-words.js'

/** A shorter word is too often another one. */
const minLength = 6
/** So long a word may have two typos. */
const longLength = 11

/** The words with the stems that are meant. `isWord` tells a word that stands for itself. */
export type CorrectWords = (
  words: readonly QueryWord[],
  isWord: (word: QueryWord) => boolean,
) => readonly QueryWord[]

/**
 * @param meant stems that may be meant
 * @param spelt stems of words that are as they should be, beside those that are meant
 */
export function createSpelling(meant: readonly string[], spelt: readonly string[]): CorrectWords {
  const known = new Set([...meant, ...spelt])
  const longer = meant.filter((stem) => stem.length >= minLength)
  const meantBy = (stem: string) =>
    stem.length < minLength - 1
      ? undefined
      : longer.find((word) => word.startsWith(stem.charAt(0)) && isTypoOf(stem, word))
  // The plural of a misspelt word has another stem than it would: `vampries`.
  const corrected = ({ stem, folded }: QueryWord) =>
    [stem, ...(isSuperlative(folded) ? positivesOf(folded) : [])].some((word) => known.has(word))
      ? undefined
      : (meantBy(stem) ?? meantBy(folded.replace(/s$/, '')))
  return (words, isWord) =>
    words.map((word) => {
      const stem = corrected(word)
      return stem === undefined || isWord(word) ? word : { ...word, stem }
    })
}

function isTypoOf(stem: string, word: string): boolean {
  const edits = distance(stem, word)
  return edits <= (word.length < longLength ? 1 : 2) || (edits === 2 && isSwapOf(stem, word))
}

/** Two neighbouring letters in the wrong order. */
function isSwapOf(stem: string, word: string): boolean {
  if (stem.length !== word.length) return false
  let at = 0
  while (stem.charAt(at) === word.charAt(at)) at += 1
  const swapped = stem.charAt(at + 1) + stem.charAt(at)
  return `${stem.slice(0, at)}${swapped}${stem.slice(at + 2)}` === word
}

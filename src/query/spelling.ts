/** Words of a query that are no word, read as the nearest word of the vocabulary, a typo away: `detectve`. */
import { distance } from 'fastest-levenshtein'
import { isSuperlative, positivesOf, type QueryWord } from './query-words.js'

/** A shorter word is too often another one. */
const minLength = 6
/** So long a word may have two typos. */
const longLength = 11

/** The words with the stems that are meant. `isWord` tells a word that stands for itself. */
export type CorrectWords = (
  words: readonly QueryWord[],
  isWord: (word: string) => boolean,
) => readonly QueryWord[]

/**
 * @param meant stems that may be meant
 * @param spelt stems of words that are as they should be, beside those that are meant
 */
export function createSpelling(meant: readonly string[], spelt: readonly string[]): CorrectWords {
  const known = new Set([...meant, ...spelt])
  const byLetter = new Map<string, string[]>()
  for (const stem of meant) {
    if (stem.length < minLength) continue
    const ofLetter = byLetter.get(stem.charAt(0))
    if (ofLetter === undefined) byLetter.set(stem.charAt(0), [stem])
    else ofLetter.push(stem)
  }
  const meantBy = ({ folded, stem }: QueryWord) => {
    let nearest: string | undefined
    let least = Infinity
    // The plural of a misspelt word has another stem than it would: `vampries`. And `homeles` is no plural.
    for (const typed of new Set([folded, stem, folded.replace(/s$/, '')])) {
      if (typed.length < minLength - 1) continue
      for (const word of byLetter.get(typed.charAt(0)) ?? []) {
        const typos = typosOf(typed, word)
        if (typos < least) [nearest, least] = [word, typos]
      }
    }
    return nearest
  }
  const corrected = (word: QueryWord) =>
    [word.stem, ...(isSuperlative(word.folded) ? positivesOf(word.folded) : [])].some((stem) =>
      known.has(stem),
    )
      ? undefined
      : meantBy(word)
  return (words, isWord) =>
    words.map((word) => {
      const stem = corrected(word)
      return stem === undefined || isWord(word.folded) ? word : { ...word, stem }
    })
}

/** How many typos make the word what is typed; infinite where that is too many. */
function typosOf(typed: string, word: string): number {
  const most = word.length < longLength ? 1 : 2
  if (Math.abs(typed.length - word.length) > most) return Infinity
  const edits = distance(typed, word)
  if (edits === 2 && isSwapOf(typed, word)) return 1
  return edits <= most ? edits : Infinity
}

/** Two neighbouring letters in the wrong order. */
function isSwapOf(stem: string, word: string): boolean {
  if (stem.length !== word.length) return false
  let at = 0
  while (stem.charAt(at) === word.charAt(at)) at += 1
  const swapped = stem.charAt(at + 1) + stem.charAt(at)
  return `${stem.slice(0, at)}${swapped}${stem.slice(at + 2)}` === word
}

/** Whether a text tells how a story goes on, or of a film or special of it, and not how it begins. */
import { createPhraseTable } from './phrase-table.js'
import { queryWords } from './query-words.js'

/** From so many different phrases on nothing is unclear. */
const sureFrom = 2

/** 0 to 1. */
export type ContinuationOf = (text: string) => number

export function createContinuationOf(phrases: readonly string[]): ContinuationOf {
  const table = createPhraseTable(phrases.map((phrase): [string, string] => [phrase, phrase]))
  return (text) => {
    const words = queryWords(text)
    const found = new Set(
      words.flatMap((_, position) => table.longestAt(words, position)?.values ?? []),
    )
    return Math.min(1, found.size / sureFrom)
  }
}

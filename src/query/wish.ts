/** Whether a query lists what is wanted, or tells a story. */
import type { PhraseTable } from './phrase-table.js'
import type { QueryWord } from './query-words.js'

/** A query of more words tells a story; what it says in passing is no wish. */
export const maxWishWords = 14
export const storyWords = new Set(
  'who he she his her him they their them whose boy girl man woman kid guy where when'.split(' '),
)

/** Whether a query lists what is wanted, rather than tells what happens; who asks for something may use more words. */
export function isWishOf(words: readonly QueryWord[], wishes: PhraseTable<true>): boolean {
  if (words.some(({ folded }) => storyWords.has(folded))) return false
  if (words.length <= maxWishWords) return true
  return words.some((_, position) => wishes.longestAt(words, position) !== undefined)
}

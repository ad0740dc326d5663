/** Whether words are all read as facts: then they are subjects, and no part of a title that has them. */
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { partOfTitle, sameTitle } from './read-title.js'

type Facts = Pick<QueryTables, 'facts'>

/** `volleyball` and `soul reaper` are one subject each. */
const isOnePhrase = (words: readonly QueryWord[], { facts }: Facts): boolean =>
  words.length > 0 && facts.longestAt(words, 0)?.length === words.length

/** `goblin isekai` is two subjects. */
export function areFacts(words: readonly QueryWord[], { facts }: Facts): boolean {
  let position = 0
  while (position < words.length) {
    const length = facts.longestAt(words, position)?.length
    if (length === undefined) return false
    position += length
  }
  return words.length > 0
}

/**
 * Whether a query is a subject, rather than a title that is as sure.
 * @param corrected the words without typos: who types `samuria` means no title that the word begins
 */
export const isSubject = (
  typed: readonly QueryWord[],
  corrected: readonly QueryWord[],
  title: number,
  facts: Facts,
): boolean =>
  (isOnePhrase(typed, facts) && title < sameTitle) ||
  (isOnePhrase(corrected, facts) && title <= partOfTitle) ||
  (areFacts(typed, facts) && title <= partOfTitle)

/** Whether a query wants one work that is like each of several, rather than like any: `X meets Y`, `a mix of X and Y`. */
import type { Reading } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'

export function isCross(
  words: readonly QueryWord[],
  readings: readonly Reading[],
  { crosses }: Pick<QueryTables, 'crosses'>,
): boolean {
  const likes = readings.filter(({ kind }) => kind === 'like')
  return (
    likes.length > 1 &&
    words.some((word, position) => {
      if (crosses.longestAt(words, position) === undefined) return false
      const before = words[position - 1]?.end
      return likes.some(
        ({ begin, end }) => end === before || (begin <= word.begin && word.end <= end),
      )
    })
  )
}

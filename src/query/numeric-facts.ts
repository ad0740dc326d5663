/** Years, lengths and ages that a query tells by numbers, and what it says of each episode: `90s`, `under 13 episodes`, `8 year old`. */
import { ageOfPersonAt } from './ages-of-people.js'
import { ageAt } from './ages.js'
import { eachEpisodeAt } from './each-episode.js'
import type { Fact } from './interpretation.js'
import { lengthAt } from './lengths.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { yearsAt } from './years.js'

export interface NumericFact {
  /** How many words tell it. */
  readonly length: number
  readonly fact: Fact
}

/**
 * The fact that the words from the position on tell, undefined where they tell none.
 * @param isWish whether the query lists what is wanted: in a told story, minutes and hours pass
 */
export function numericFactAt(
  words: readonly QueryWord[],
  position: number,
  isWish: boolean,
  tables: Pick<QueryTables, 'wordLists'>,
): NumericFact | undefined {
  return (
    ageAt(words, position, tables) ??
    (isWish
      ? (ageOfPersonAt(words, position, tables) ?? eachEpisodeAt(words, position))
      : undefined) ??
    lengthAt(words, position, isWish) ??
    yearsAt(words, position, isWish)
  )
}

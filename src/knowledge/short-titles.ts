/** Characters whose names are the beginning of another work's title: `yotsuba` is Yotsuba to!, and no Yotsuba Nakano. */
import type { TitleLookup } from '../query/interpretation.js'
import { seriesNumber } from './franchise-rows.js'
import { beginsWith, wordCount } from './title-words.js'

type Characters = NonNullable<TitleLookup['characters']>

/** A work is much better known where it is so many e-folds of popularity ahead. */
const lead = 1

/** The characters, but for those of a work that is hardly better known than the one whose title a name begins. */
export function withoutShortTitles(
  characters: Characters,
  known: NonNullable<TitleLookup['known']>,
  fameOf: (row: number) => number,
  franchises: Int32Array,
): Characters {
  const isShortTitle = (word: string, row: number) => {
    const [begun] = known(word)
    // What is a whole title is told from names elsewhere.
    if (begun === undefined || !beginsWith(begun.title, word) || wordCount(begun.title) === 1)
      return false
    if (seriesNumber(franchises, row) === seriesNumber(franchises, begun.row)) return false
    return (fameOf(row) || 0) - (fameOf(begun.row) || 0) < lead
  }
  return (words) => {
    const found = characters(words)
    const [word = ''] = words
    const isTitle = found?.length === 1 && isShortTitle(word, found.rows[0] ?? -1)
    return isTitle ? undefined : found
  }
}

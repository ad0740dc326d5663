/** Works by the first letters of their titles: `fmab`, `hsotd`. */
import { isTellingWord } from '../../base/text/small-words.js'
import { foldTitle } from '../titles/fold-title.js'
import type { TitleIndex } from '../titles/title-index.js'
import { mainRows, type Series } from './franchises.js'

/** Works that few know are not called by first letters. */
const minFame = 1.2
const minLetters = 3

/** Whether letters may be the first of a title: others are not in the index. */
export const areInitials = (letters: string): boolean =>
  letters.length >= minLetters && /^[a-z0-9]+$/.test(letters)

/** The best-known work of each run of first letters, with and without small words. */
export function initialsOf(
  titles: Pick<TitleIndex, 'titleCount' | 'row' | 'text'>,
  popularity: Float32Array,
  series: Series,
): ReadonlyMap<string, number> {
  const fameOf = (row: number) => (popularity[row] ?? 0) || 0
  const mains = mainRows(series)
  const best = new Map<string, number>()
  const add = (words: readonly string[], row: number) => {
    const letters = words.map((word) => word.charAt(0)).join('')
    if (!areInitials(letters)) return
    const known = best.get(letters)
    if (known === undefined || fameOf(known) < fameOf(row)) best.set(letters, row)
  }
  for (let title = 0; title < titles.titleCount; title += 1) {
    const row = titles.row(title)
    if (fameOf(row) < minFame) continue
    const { words } = foldTitle(titles.text(title))
    const main = mains.get(series.franchises[row] ?? -1) ?? row
    add(words, main)
    add(words.filter(isTellingWord), main)
  }
  return best
}

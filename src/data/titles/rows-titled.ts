/** Works whose titles have words, however common they are. */
import { intersect } from '../../base/text/ascending-lists.js'
import type { Titles } from './open-titles.js'
import { romanizeWord } from '../../base/text/romanize.js'

/** Rows with a title that has all the words as they are written, ascending; however common they are. */
export function rowsTitled(titles: Titles, words: readonly string[]): readonly number[] {
  const numbers = words.map((word) => titles.words.set.find(romanizeWord(word)))
  if (numbers.length === 0 || numbers.includes(-1)) return []
  const found = intersect(numbers.map((number) => titles.words.titles(number)))
  return [...new Set(Array.from(found, (title) => titles.row(title)))].sort(
    (one, other) => one - other,
  )
}

/** Works that a word of prose names, since it is much of their titles and stands in hardly any text: `chainsaw`. */
import type { Popularity } from './best-titles.js'
import type { Titles } from './open-titles.js'
import { romanizeWord } from './romanize.js'

export interface TitleWithWord {
  readonly row: number
  readonly title: string
  /** Of the title's letters, those that the word has. */
  readonly share: number
}

/** Bits from which on a word is so rare in prose that who writes it may mean the title: one of 360 texts has it. */
const minBits = 8.5
/** The least share of a title's letters; in a long title any word is a chance. */
const minShare = 0.3

/** One title of each row, the best known first. */
export function titlesWithWord(
  titles: Titles,
  word: string,
  popularity?: Popularity,
): readonly TitleWithWord[] {
  const romanized = romanizeWord(word)
  const number = titles.words.set.find(romanized)
  if (number < 0 || (titles.rarity(romanized) ?? 0) < minBits) return []
  const found = new Map<number, TitleWithWord>()
  for (const place of titles.words.titles(number)) {
    const [row, title] = [titles.row(place), titles.original(place)]
    const letters = title.replaceAll(/[^\p{L}\p{N}]+/gu, '').length
    const share = word.length / letters
    if (share >= minShare && share > (found.get(row)?.share ?? 0))
      found.set(row, { row, title, share })
  }
  const known = ({ row }: TitleWithWord) => {
    const value = popularity?.[row] ?? Number.NaN
    return Number.isNaN(value) ? -Number.MAX_VALUE : value
  }
  return [...found.values()].sort((one, other) => known(other) - known(one))
}

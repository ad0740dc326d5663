/**
 * Works that words of prose name, since they are much of their titles and stand together in hardly any text:
 * `chainsaw`, `moving castle`.
 */
import type { Popularity } from './best-titles.js'
import { intersect, unite } from './ascending-lists.js'
import type { Titles } from './open-titles.js'
import { romanizeWord } from '../text/romanize.js'

export interface TitleWithWords {
  readonly row: number
  readonly title: string
  /** Of the title's letters, those that the words have. */
  readonly share: number
}

/** Bits from which on a word is so rare in prose that who writes it may mean the title: one of 360 texts has it. */
const minBits = 8.5
/** The same for several words together, of which each may be common. */
const minBitsTogether = 12
/** The least share of a title's letters; in a long title any word is a chance. */
const minShare = 0.3

/**
 * One title of each row, the best known first.
 * @param words one as it is written, or several in any inflection
 */
export function titlesWithWords(
  titles: Titles,
  words: readonly string[],
  popularity?: Popularity,
): readonly TitleWithWords[] {
  const romanized = words.map(romanizeWord)
  const numbers = romanized.map((word) =>
    words.length === 1 ? exact(titles, word) : inflections(titles, word),
  )
  if (numbers.some(({ length }) => length === 0)) return []
  const bits = numbers.map((forms) => Math.min(...forms.map((form) => rarityOf(titles, form))))
  const least = words.length === 1 ? minBits : minBitsTogether
  if (bits.reduce((sum, value) => sum + value, 0) < least) return []
  const found = new Map<number, TitleWithWords>()
  const written = romanized.reduce((sum, { length }) => sum + length, 0)
  for (const place of intersect(
    numbers.map((forms) => unite(forms.map((form) => titles.words.titles(form)))),
  )) {
    const [row, title] = [titles.row(place), titles.original(place)]
    const share = Math.min(1, written / title.replaceAll(/[^\p{L}\p{N}]+/gu, '').length)
    if (share >= minShare && share > (found.get(row)?.share ?? 0))
      found.set(row, { row, title, share })
  }
  const known = ({ row }: TitleWithWords) => {
    const value = popularity?.[row] ?? Number.NaN
    return Number.isNaN(value) ? -Number.MAX_VALUE : value
  }
  return [...found.values()].sort((one, other) => known(other) - known(one))
}

/** Rows of which a title has all the words as they are written, ascending; however common they are. */
export function rowsTitled(titles: Titles, words: readonly string[]): readonly number[] {
  const numbers = words.map((word) => titles.words.set.find(romanizeWord(word)))
  if (numbers.length === 0 || numbers.includes(-1)) return []
  const found = intersect(numbers.map((number) => titles.words.titles(number)))
  return [...new Set(Array.from(found, (title) => titles.row(title)))].sort(
    (one, other) => one - other,
  )
}

function exact({ words }: Titles, word: string): readonly number[] {
  const number = words.set.find(word)
  return number < 0 ? [] : [number]
}

/** A word shares at least so many letters with its inflections. */
const minRoot = 5
/** Of a longer word, so many letters at the end may differ. */
const maxEnding = 3

/** `reincarnation` is `reincarnated`, and `castles` `castle`. */
function inflections({ words }: Titles, word: string): readonly number[] {
  const root = word.slice(0, Math.max(minRoot, word.length - maxEnding))
  const longer = word.length < minRoot ? 1 : 2
  return [...words.set.startingWith(root)].filter((number) => {
    const length = words.set.lengthOf(number)
    return length >= word.length - 1 && length <= word.length + longer
  })
}

const rarityOf = (titles: Titles, number: number): number =>
  titles.rarity(titles.words.set.textOf(number)) ?? 0

/** The arrays of an index of titles, with the questions that its lookups put to them. */
import { unpackSeason } from './split-season.js'
import type { OpenSections } from '../../base/text/sections.js'
import type { Season } from './split-season.js'
import { firstFrom, openTextSet, type TextSet } from '../../base/text/text-set.js'
import { titleKinds, type TitleKind } from './title.js'
import { textKey } from '../../base/text/text-key.js'
import { remember } from '../../base/text/remember.js'
import { rarityStep } from './word-rarity.js'

export interface Titles {
  readonly count: number
  row(title: number): number
  kind(title: number): TitleKind
  season(title: number): Season
  /** As given, but with U+FFFD for a lone surrogate. */
  original(title: number): string
  /** Titles whose base is this text, shorter ones first. */
  withBase(base: string): Uint32Array
  /** Whole titles without spaces. */
  readonly forms: TextsOfTitles
  /** Their words, as written and romanized. */
  readonly words: TextsOfTitles
  /** Bits of a word's rarity in prose; undefined of a word that no title has. */
  rarity(word: string): number | undefined
  /** Whether a title begins with the letters of a word. */
  opens(word: string): boolean
}

export interface TextsOfTitles {
  readonly set: TextSet
  /** Titles that have the text of that number, shorter ones first. */
  titles(number: number): Uint32Array
  /** Titles that have one of the texts, in the order of the numbers. */
  each(numbers: Uint32Array, take: (title: number) => void): void
}

/** Words that are kept with what is known of them. */
const maxRemembered = 20_000

/** Bits of a word that none of 2,800 texts has. */
export const usualBits = 12.4

/** Throws a TitleIndexError where an array is missing. */
export function openTitles(sections: OpenSections): Titles {
  const rows = sections.u32('rows')
  const kinds = sections.u8('kinds')
  const seasons = sections.u32('seasons')
  const originals = sections.u8('originals')
  const originalStarts = sections.u32('originalStarts')
  const keys = sections.f64('keys')
  const keyTitles = sections.u32('keyTitles')
  const rarities = sections.u8('words.rarity')
  const originalText = Buffer.from(originals.buffer, originals.byteOffset, originals.length)

  function openTexts(name: string): TextsOfTitles {
    const starts = sections.u32(`${name}.titleStarts`)
    const titles = sections.u32(`${name}.titles`)
    return {
      set: openTextSet(sections, name),
      titles: (number) => titles.subarray(starts[number], starts[number + 1]),
      each(numbers, take) {
        for (const number of numbers) {
          const end = starts[number + 1] ?? 0
          for (let at = starts[number] ?? 0; at < end; at += 1) take(titles[at] ?? 0)
        }
      },
    }
  }

  const [forms, words] = [openTexts('forms'), openTexts('words')]
  /** A word of no text is as rare in a small sample of prose as in a large one. */
  const scale = usualBits / (rarityStep * rarities.reduce((most, one) => Math.max(most, one), 1))
  return {
    count: rows.length,
    row: (title) => rows[title] ?? 0,
    kind: (title) => titleKinds[kinds[title] ?? 0] ?? 'other',
    season: (title) => unpackSeason(seasons[title] ?? 0),
    original: (title) =>
      originalText.toString('utf8', originalStarts[title], originalStarts[title + 1]),
    withBase(base) {
      const key = textKey(base)
      const from = firstFrom(keys, 0, keys.length, key)
      let to = from
      while (to < keys.length && keys[to] === key) to += 1
      return keyTitles.subarray(from, to)
    },
    forms,
    words,
    rarity: remember(maxRemembered, (word) => {
      const number = words.set.find(word)
      return number < 0 ? undefined : (rarities[number] ?? 0) * rarityStep * scale
    }),
    opens: remember(maxRemembered, (letters) => forms.set.hasBeginning(letters)),
  }
}

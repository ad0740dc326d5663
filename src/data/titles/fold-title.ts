/**
 * A title in the forms under which it is looked up. Titles and queries are folded by the same code, so
 * that they meet whatever the spelling. Japanese, Korean and Chinese stay in their scripts.
 */
import { foldWords } from '../../base/text/fold-words.js'
import { romanizeWord } from '../../base/text/romanize.js'
import { seasonWords, splitSeason, type Season } from './split-season.js'

export interface FoldedTitle {
  /** Folded words in their order. */
  readonly words: readonly string[]
  /** All words without spaces: what people mistype, so this form is compared by edits. */
  readonly joined: string
  /** The same with the season in one spelling; equal to `joined` where the title names none. */
  readonly joinedBySeason: string
  /** The words in one romanization. */
  readonly romanized: readonly string[]
  /** Those without the season, without spaces. */
  readonly base: string
  readonly season: Season
}

/** Words beyond these are ignored; the longest titles have about forty. */
export const maxWords = 64

export function foldTitle(text: string): FoldedTitle {
  return foldTitleWords(foldWords(text.slice(0, maxCharacters), maxWords).map(({ word }) => word))
}

/** Long enough for every title; a query beyond it is no title. */
export const maxCharacters = 1000

export function foldTitleWords(words: readonly string[]): FoldedTitle {
  const { base, before, season } = splitSeason(words)
  const joined = words.join('')
  const spelling = seasonWords(season)
  const romanized = words.map(romanizeWord)
  return {
    words,
    joined,
    joinedBySeason: base.length === words.length ? joined : base.join('') + spelling,
    romanized,
    base: romanized.slice(before, before + base.length).join(''),
    season,
  }
}

/** Whether a title gives its season or kind. */
export function namesSeason({ number, part, kind }: Season): boolean {
  return number > 1 || part > 1 || (kind !== 'none' && kind !== 'tv')
}

/** Whether two titles of one base are the same one: no season is the first, and a year that is not named is any. */
export function agree(one: Season, other: Season): boolean {
  return (
    Math.max(one.number, 1) === Math.max(other.number, 1) &&
    Math.max(one.part, 1) === Math.max(other.part, 1) &&
    kindOf(one) === kindOf(other) &&
    (one.year === other.year || one.year === 0 || other.year === 0)
  )
}

function kindOf({ kind }: Season): string {
  return kind === 'tv' ? 'none' : kind
}

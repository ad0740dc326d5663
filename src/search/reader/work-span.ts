/** Words of a query that may name a work, by the titles and characters of a dataset. */
import type { Word } from '../../base/text/words.js'

const workMatches = [
  /** A title of the work, in some spelling. */
  'exact',
  /** A title begins with the words. */
  'head',
  /** A title, with typos. */
  'near',
  /** A rare word of a title. */
  'part',
  /** The first letters of a title's words. */
  'initials',
  /** The whole query is nearly a title, or a part of a series. */
  'whole',
  /** The whole query is a title in other words. */
  'reworded',
  /** A character of the work. */
  'character',
] as const
export type WorkMatch = (typeof workMatches)[number]

export interface WorkSpan {
  /** Positions of words: [from, to). */
  readonly from: number
  readonly to: number
  readonly match: WorkMatch
  /** The works, the likeliest first. */
  readonly rows: readonly number[]
  readonly label: string
  /** 0 to 1: how near the words are to the title. */
  readonly similarity: number
  /** 0 to 1: the share of the title that the words are. */
  readonly coverage: number
  /** Rarity of the words in prose, in bits. */
  readonly bits: number
  /** How well known the first work is; absent where that is unknown. */
  readonly fame?: number
  readonly isMain: boolean
  /** How many series have such a title or character. */
  readonly seriesCount: number
}

/**
 * All works that words of a query may name, overlapping.
 * @param isUnknown of each word, whether it is in no vocabulary and no text: it may be a name with a typo
 */
export type FindTitles = (
  query: string,
  words: readonly Word[],
  isUnknown: readonly boolean[],
) => readonly WorkSpan[]

/** One meaning of a phrase, and the lists that meanings come from. */
import type { Fact } from './interpretation.js'

/** One meaning of a phrase. */
export interface Sense {
  /** What kind of list it is from; the chooser has weights for each. */
  readonly list: SenseList
  readonly fact: Fact | { readonly kind: 'words'; readonly words: string }
  readonly label: string
  /** 0 to 1: how sure it is where nothing is known of the words around it. */
  readonly confidence: number
  /** Whether the phrase says that a work lacks it: `nobody dies`. */
  readonly isLacking?: boolean
  /** Whether it is one of several things that its tags stand for. */
  readonly isNarrow?: boolean
  /** The only spelling, for words whose plural means something else. */
  readonly spelt?: string | undefined
}

const senseLists = [
  'type',
  'form',
  'audience',
  'source',
  'sourceName',
  'status',
  'era',
  'length',
  'fame',
  'genre',
  'subject',
  'manner',
  'together',
  'lacking',
  'studio',
  'studioWord',
  'person',
  'family',
  'magazine',
  'magazineWord',
  'pattern',
  'words',
] as const
export type SenseList = (typeof senseLists)[number]

export type SenseEntry = readonly [phrase: string, sense: Sense]

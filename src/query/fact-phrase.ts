/** A phrase that stands for a fact. */
import type { Fact } from './interpretation.js'

export interface FactPhrase {
  readonly fact: Fact
  readonly label: string
  readonly confidence: number
  /** Whether the words mean it only after `by` and the like. */
  readonly needsMaker: boolean
  /** Whether it is somebody or something, of which there is no more and less. */
  readonly isThing?: boolean
  /** Whether somebody or something in a work may have or lack it; a genre or a mood is the work's own. */
  readonly canLack?: boolean
  /** Whether it is one of several things that its tags stand for. */
  readonly isNarrow?: boolean
  /** Whether the words mean it only where nothing but facts stand beside them. */
  readonly needsFacts?: boolean
  /** Whether the words say that a work lacks it. */
  readonly isLacking?: boolean
  /** How it has to be spelt, if no plural may be meant. */
  readonly spelt?: string | undefined
}

export type PhraseEntry = readonly [string, FactPhrase]

export const phrase = (
  fact: Fact,
  label: string,
  confidence: number,
  needsMaker = false,
): FactPhrase => ({
  fact,
  label,
  confidence,
  needsMaker,
  canLack: false,
})

/** A name of one common word, such as `Bones` or `Shaft`, is less sure than one of several; in a told story it is no name. */
export const oneWordConfidence = 0.55

/** Structured data about a work other than its title, texts and own filters, under the names that mappings give. */

/** Keys of the vocabulary with how much each says: 1 a touch, 2 clearly there, 3 what the work is about. */
export type TagWeights = Readonly<Record<string, number>>

/** A member is absent if no source of the dataset has it, and null or empty if none has it for the work. */
export interface EntryFacts {
  readonly otherTitles?: readonly string[]
  readonly episodes?: number | null
  readonly volumes?: number | null
  readonly chapters?: number | null
  /** Of an episode, or of a film. */
  readonly minutes?: number | null
  readonly studios?: readonly string[]
  /** Given name first, as are directors. */
  readonly authors?: readonly string[]
  readonly directors?: readonly string[]
  /** Where a manga ran, the one that people know it by first. */
  readonly magazines?: readonly string[]
  /** Names of those in the story, full ones and what everybody calls them: searches know them, answers do not show them. */
  readonly characters?: readonly string[]
  /** Franchises recommended to people who liked it, the best first: searches use them, answers do not show them. */
  readonly recommended?: readonly string[]
  /** What the work is made from, such as `manga` or `light_novel`. */
  readonly source?: string | null
  readonly status?: string | null
  /** `shounen`, `josei` and so on. */
  readonly audience?: string | null
  /** Key that the works of a franchise share. */
  readonly franchise?: string | null
  /** To its franchise: `main`, `sequel`, `film` and so on. */
  readonly relation?: string | null
  readonly tags?: TagWeights
  /** Tags that tell how the story goes on: searches know them, answers do not show them. */
  readonly spoilerTags?: TagWeights
  /** Whether it is for adults only. */
  readonly adult?: boolean | null
}

export const countNames = ['episodes', 'volumes', 'chapters', 'minutes'] as const
export const listNames = [
  'studios',
  'authors',
  'directors',
  'magazines',
  'characters',
  'recommended',
] as const
export const wordNames = ['source', 'status', 'audience', 'franchise', 'relation'] as const

/** What a tag counts whose source gives no weight. */
export const usualWeight = 2

/** What a query says: each part of it that was read as something other than a description. */

/** Positions in the query, in UTF-16 units: [begin, end). */
export interface Span {
  readonly begin: number
  readonly end: number
}

/** A value that a work has or has not. */
export type Fact =
  | { readonly kind: 'type'; readonly values: readonly string[] }
  | { readonly kind: 'years'; readonly from?: number; readonly to?: number }
  | ({
      readonly kind: 'length'
      readonly unit: LengthUnit
      /** Whether it is that of each of several episodes: `hour long episodes`. */
      readonly isOfSeries?: boolean
      /** Whether nothing continues the work: `one season`. */
      readonly isWhole?: boolean
      /** What the same words mean of a film, in minutes. */
      readonly ofFilms?: LengthBounds
    } & LengthBounds)
  | { readonly kind: 'audience'; readonly value: string }
  | { readonly kind: 'source'; readonly value: string }
  | { readonly kind: 'status'; readonly value: string }
  | { readonly kind: 'studio'; readonly value: string }
  | { readonly kind: 'person'; readonly value: string }
  /** Where a manga ran, with the others that the same short name may mean: Shounen Jump+ of `shonen jump`. */
  | { readonly kind: 'magazine'; readonly value: string; readonly alternatives?: readonly string[] }
  | { readonly kind: 'fame'; readonly value: 'popular' | 'obscure' | 'acclaimed' }
  /** A subject, by the genres and tags that stand for it: any of them, or all together. */
  | {
      readonly kind: 'topic'
      readonly genres: readonly string[]
      readonly tags: readonly string[]
      readonly together?: boolean
      /** Whether it is a subject or a character of works, not a manner. */
      readonly isSubject?: boolean
    }

/** `minutes` are those of the whole work, `episodeMinutes` those of an episode or a film. */
export type LengthUnit = 'episodes' | 'volumes' | 'chapters' | 'minutes' | 'episodeMinutes'

export interface LengthBounds {
  readonly min?: number
  readonly max?: number
}

export type Reading = Span & {
  /** The value, for people; of a title its spelling in the catalogue. */
  readonly label: string
  /** 0 to 1: how likely it is that the words mean this. */
  readonly confidence: number
  /** Whether the query refuses it. */
  readonly excluded: boolean
  /** Where the first of several alternatives begins: `boxing or yakuza`. */
  readonly either?: number
} & (
    | Fact
    /** These rows are the subject, or are known already if excluded. */
    | { readonly kind: 'title'; readonly rows: readonly number[] }
    /** Works like these rows. */
    | { readonly kind: 'like'; readonly rows: readonly number[] }
    /** Works by their makers, or by those of a role alone. */
    | { readonly kind: 'makers'; readonly rows: readonly number[]; readonly role?: MakersRole }
    /** Words that no vocabulary knows; they are only excluded. */
    | { readonly kind: 'words'; readonly words: string }
  )

export interface Interpretation {
  /** In the order of the query. */
  readonly readings: readonly Reading[]
  /** What is left to compare with texts: without references and exclusions; nothing where only filler is left, or facts that no text states. */
  readonly text: string
  /** 0 to 1: the share of the telling words that the readings explain. */
  readonly explained: number
  /** Names that are like no title, character or maker of the catalogue. */
  readonly unknownNames?: readonly string[]
  /** Whether one work is wanted that is like each of those that are named. */
  readonly isCross?: boolean
  /** 0 to 1: how likely the query lists what is wanted, rather than describes what happens. */
  readonly request?: number
}

/** A creator is an author; of a work without one, any of its makers. */
export type MakersRole = 'studio' | 'author' | 'creator' | 'director'

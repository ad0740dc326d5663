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
  | { readonly kind: 'magazine'; readonly value: string; readonly kin?: readonly string[] }
  | { readonly kind: 'fame'; readonly value: 'popular' | 'obscure' | 'acclaimed' }
  /** A subject, by the genres and tags that stand for it: any of them, or all together. */
  | {
      readonly kind: 'topic'
      readonly genres: readonly string[]
      readonly tags: readonly string[]
      readonly together?: boolean
      /** Whether it is what works are about or who is in them, not how they are told. */
      readonly isSubject?: boolean
      /** Works whose titles have the words, where these are one of several things that the tags stand for. */
      readonly rows?: readonly number[]
    }

/** `minutes` are those of the whole work, `episodeMinutes` those of an episode or a film. */
export type LengthUnit = 'episodes' | 'volumes' | 'chapters' | 'minutes' | 'episodeMinutes'

export interface LengthBounds {
  readonly min?: number
  readonly max?: number
}

export type Reading = Span & {
  /** The words that a person reads it as, such as `not: harem` has `harem`. */
  readonly label: string
  /** 0 to 1: how likely it is that the words mean this. */
  readonly confidence: number
  /** Whether the query wishes that a work has it not. */
  readonly excluded: boolean
  /** Where the first of several wishes begins of which one is enough: `boxing or yakuza`. */
  readonly either?: number
} & (
    | Fact
    /** The whole query is the title of these rows, or nearly; or a part of it is, which is less sure. */
    | {
        readonly kind: 'title'
        readonly rows: readonly number[]
        /** The share of the query's telling words, where they are only words of the title. */
        readonly share?: number
        /** A part of the series is meant, of which the rest of the query tells; of these types, if any. */
        readonly part?: { readonly types: readonly string[] }
      }
    /** Works like these rows. */
    | {
        readonly kind: 'like'
        readonly rows: readonly number[]
        /** Whether each row is an example: of works with the same title, the first stands for it. */
        readonly areAll?: boolean
      }
    /** Works by their makers, or by those of a role alone. */
    | { readonly kind: 'makers'; readonly rows: readonly number[]; readonly role?: MakersRole }
    /** Words that no vocabulary knows; they are only excluded. */
    | { readonly kind: 'words'; readonly words: string }
  )

export interface Interpretation {
  /** In the order of the query. */
  readonly readings: readonly Reading[]
  /** What is left to compare with texts: without references, exclusions, filler and facts that no text tells. */
  readonly text: string
  /** 0 to 1: the share of the telling words that the readings explain. */
  readonly explained: number
  /** The query without what it takes back, where that is something. */
  readonly kept?: string
  /** Whether one work is wanted that is like each of those that are named. */
  readonly isCross?: boolean
  /** Whether it lists what is wanted, rather than tells what happens. */
  readonly isWish?: boolean
}

/** A creator is an author, or whoever made a work that has none. */
export type MakersRole = 'studio' | 'author' | 'creator' | 'director'

/** The older and the newer half of what somebody made. */
export type MakerEra = 'early' | 'late'

/** Where references and titles are looked up. */
export interface TitleLookup {
  /** Titles that a text is, whatever its case, marks and romanisation. */
  readonly exact: (text: string) => readonly TitleMatch[]
  /** Titles that a text is or nearly is, the nearest first. */
  readonly match: (text: string) => readonly TitleMatch[]
  /** Titles that a text is, but for a word that is remembered wrongly: `grave of the butterflies`. */
  readonly misremembered?: (text: string) => readonly TitleMatch[]
  /** Works that a text names without doubt; of one word, well-known ones that it is, or alone begins: `jojo`. */
  readonly known?: (text: string) => readonly TitleMatch[]
  /** Well-known works whose title a text is; of one word, only where hardly any text has it. */
  readonly sure?: (text: string) => readonly TitleMatch[]
  /** Works, without the least known, whose titles begin with a text. */
  readonly heads?: (text: string) => readonly TitleMatch[]
  /** Titles of several words that stand inside a text. */
  readonly mentions: (text: string) => readonly TitleMention[]
  /** Works whose titles have all the words. */
  readonly titled?: (words: readonly string[]) => readonly number[]
  /** Works with a word in their titles that names many works, and that few other texts have: `gundam`. */
  readonly brand?: (word: string) => readonly number[]
  /** Whether several works have a word in their titles or texts. */
  readonly isWord?: (word: string) => boolean
  /** The newest work of a row's series, or the newest film of it, if any. */
  readonly newestOf?: (row: number, isFilm?: boolean) => number
  /** The character whose name the words begin with. */
  readonly characters?: ((words: readonly string[]) => CharacterMatch | undefined) | undefined
  /** The characters of that name, whatever else its words mean: `guts`. */
  readonly called?: ((words: readonly string[]) => CalledCharacters | undefined) | undefined
  /** Whether a work is far better known than all that a studio or a person made. */
  readonly outshines?: (row: number, maker: Fact) => boolean
  /** The best-known works of a studio or a person, which stand for what they make. */
  readonly madeWorks?: (maker: Fact) => readonly number[]
  /** The year that parts the older half of what a studio or a person made from the newer one, of several works. */
  readonly middleYear?: (maker: Fact) => number | undefined
  /** Whether a studio or a person made a work. */
  readonly madeBy?: (row: number, maker: Fact) => boolean
  /** Well-known works of whose titles words are part that hardly any text has together. */
  readonly withWords?: (words: readonly string[]) => readonly TitleMatch[]
}

/** A character whose name begins a text. */
export interface CharacterMatch {
  /** How many words the name has. */
  readonly length: number
  readonly name: string
  /** The works, the best known first. */
  readonly rows: readonly number[]
  /**
   * A whole name of several words, a word of one, words that stories tell of other things, too, or a name that many
   * have, a few of them in works that are far better known.
   */
  readonly kind: 'full' | 'word' | 'plain' | 'shared'
}

/** All characters whose name begins a text. */
export interface CalledCharacters {
  readonly length: number
  readonly name: string
  /** The works, one of each series, the best known first. */
  readonly rows: readonly number[]
  /** Whether one of them is in a work or in another of its series. */
  readonly isIn: (row: number) => boolean
  /** Whether it is a whole name, or a part that hardly anything else has. */
  readonly isTelling: boolean
}

export type TitleMention = Span & { readonly title: string; readonly rows: readonly number[] }

export interface TitleMatch {
  readonly row: number
  readonly title: string
  /** 0 to 1; 1 for the same title. */
  readonly similarity: number
}

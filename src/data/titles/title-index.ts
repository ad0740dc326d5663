/** All titles of a dataset, to be found by what people type: whole, half typed, misspelt, or inside a sentence. */
import type { Popularity } from './best-titles.js'
import { completeTitles } from './complete-titles.js'
import { continuedByTitle, type SeriesOf } from './continued-titles.js'
import { correctWords } from './correct-words.js'
import { findSpans, type SpanWord, type TitleSpan } from './find-spans.js'
import { exactTitles, matchTitles, sameWordTitles } from './match-titles.js'
import { openTitles, type Titles } from './open-titles.js'
import { openArrays, openSections, packInPieces } from '../../base/text/sections.js'
import type { Title } from './title.js'
import type { TitleMatch } from './title-match.js'
import { createTitleReader, type TitleReader } from './read-titles.js'
import { rewordedTitles, type RewordedTitle } from './reworded.js'
import type { SameWords } from '../../base/text/same-words.js'
import { rowsTitled } from './rows-titled.js'

export interface TitleIndex {
  readonly titleCount: number
  /**
   * Titles that the query may mean as a whole, one of each row, the best first. At most a quarter is fuzzy
   * where others would fill the limit.
   * @param popularity of each row; says which to take where more begin with the query than fit, and
   *   comes before the row in ties
   */
  match(query: string, limit: number, popularity?: Popularity): TitleMatch[]
  /** Of `match` those that the query is, whatever its case, marks and romanisation. */
  exact(query: string, limit: number, popularity?: Popularity): TitleMatch[]
  /** Of `match` those that the query is, but for small words: `Ghost in a Shell`. */
  sameWords(query: string, limit: number, popularity?: Popularity): TitleMatch[]
  /** Titles that have most words of the query, or others for them, in any order. */
  reworded(query: string, same: SameWords): readonly RewordedTitle[]
  /** Titles that begin with what is typed so far, then those with a word that does, then with one typo; in each the popular first. */
  complete(prefix: string, limit: number, popularity?: Popularity): TitleMatch[]
  /** Spans of a text that may name titles, overlapping. */
  spans(words: readonly SpanWord[], popularity?: Popularity): readonly TitleSpan[]
  row(title: number): number
  /** A title as it was given. */
  text(title: number): string
  /** The row that a row continues by its title: `Gantz` of `Gantz 2`. */
  continued(seriesOf: SeriesOf): ReadonlyMap<number, number>
  /** Rows with a title that has all the words, however common they are. */
  titled(words: readonly string[]): readonly number[]
  /**
   * The query with the words of titles that its misspelt words mean; undefined where none is misspelt or corrected.
   * @param isWord whether a word is neither part of a title nor a typo
   */
  correct(
    query: string,
    isWord: (word: string) => boolean,
    popularity?: Popularity,
  ): string | undefined
  /** Joined, what `openTitleIndex` opens again without building. */
  toPieces(): readonly Uint8Array[]
}

export interface TitleIndexOptions {
  /** Prose in which common words are common, as synopses; some thousands are enough. Titles serve without. */
  readonly texts?: Iterable<string>
}

/** @param titles those of a row in turn, the main one first */
export function createTitleIndex(
  titles: Iterable<Title>,
  options: TitleIndexOptions = {},
): TitleIndex {
  const reader = createTitleReader()
  for (const title of titles) reader.add(title)
  return indexTitles(reader, options)
}

/** The reader cannot be used any more. */
export function indexTitles(
  reader: TitleReader,
  { texts = [] }: TitleIndexOptions = {},
): TitleIndex {
  const sections = reader.build(texts)
  return indexOf(openTitles(openArrays(sections)), () => packInPieces(sections))
}

/** Reads the bytes in place; they must not change. Throws a TitleIndexError where they are not `toPieces`'. */
export const openTitleIndex = (bytes: Uint8Array): TitleIndex =>
  indexOf(openTitles(openSections(bytes)), () => [bytes])

function indexOf(titles: Titles, toPieces: () => readonly Uint8Array[]): TitleIndex {
  return {
    titleCount: titles.count,
    match: (query, limit, popularity) => matchTitles(titles, query, limit, popularity),
    exact: (query, limit, popularity) => exactTitles(titles, query, limit, popularity),
    sameWords: (query, limit, popularity) => sameWordTitles(titles, query, limit, popularity),
    reworded: (query, same) => rewordedTitles(titles, query, same),
    complete: (prefix, limit, popularity) => completeTitles(titles, prefix, limit, popularity),
    spans: (words, popularity) => findSpans(titles, words, popularity),
    row: (title) => titles.row(title),
    text: (title) => titles.original(title),
    continued: (seriesOf) => continuedByTitle(titles, seriesOf),
    titled: (words) => rowsTitled(titles, words),
    correct: (query, isWord, popularity) => correctWords(titles, query, isWord, popularity),
    toPieces,
  }
}

/**
 * Builds the full-text index: of every stem, the rows that have it and its impact, what it adds to a row's bm25. The
 * build computes every part of the score that does not depend on the query, so a search only adds integers
 * (native/core/rows/word_search.h).
 *
 *   bm25(row)   = sum over the query's stems of rarity * weight * (k1 + 1) / (weight + norm)
 *   rarity      = ln(1 + (N - n + 0.5) / (n + 0.5)), of N rows n that have the stem
 *   norm        = k1 * (1 - b + b * words of the row / mean words)
 *
 * weight is how often the row has the stem, titles counted twice; k1 = 1.2, b = 0.75 (Robertson and Zaragoza, "The
 * Probabilistic Relevance Framework: BM25 and Beyond", 2009; the rarity is Lucene's, which is never negative).
 */
import { mergeSpellings } from './spellings.js'
import { stemWords } from './stemmed-words.js'
import { wordCharacterRanges } from '../../base/text/searched-words.js'
import type { Stemmer } from '../../base/text/stemmer.js'
import {
  createRowWords,
  type DistinctWords,
  type PostingsPart,
} from '../../native/addon/row-words.js'

export interface Document {
  /** The title and its alternatives. */
  readonly titles: readonly string[]
  readonly texts: readonly string[]
}

export interface Postings {
  /** The stems, or the key of its spelling of one that few rows have. In the order of their bytes in UTF-8. */
  readonly stems: readonly string[]
  /** What a `.rows` file has of them. Taken once. */
  readonly parts: Iterable<PostingsPart>
}

/**
 * Impacts are whole numbers of 1024ths: at most 65,535 of them are 64, which no impact reaches, because a rarity is at
 * most 22 (of 2^32 rows) and counts less than k1 + 1 times. A score is off by at most half of one for each stem of the query.
 * One byte would be off by more than neighbouring rows differ.
 */
const impactUnits = 1024

/** bm25's usual constants: how soon repetition stops to count, how much length does. */
const saturation = 1.2
const lengthShare = 0.75

/** A word of the title counts as two of the texts. */
const titleWeight = 2

/** Rows of stems that are gathered at a time, eight bytes each. */
const rowsAtOnce = 8_000_000

/** Rows that are searched together with those of an index, in another one: bm25 counts both. */
export interface OtherRows {
  readonly rows: number
  /** Words of a row, on average. */
  readonly meanWords: number
  /** How many of them have a word or a stem. */
  rowsWith(word: string): number
}

export interface PostingsBuilder {
  /** Adds the words of the next row. Does not keep the document. */
  add(document: Document): void
  /**
   * Postings of all rows. The last call.
   * @param atOnce rows of stems that are gathered at a time; it affects only memory
   */
  build(stemmer: Stemmer, atOnce?: number): Postings
}

/** Stems every distinct word once. The core splits the texts on a thread of its own, and keeps a byte or two for each word. */
export function createPostingsBuilder(others?: OtherRows): PostingsBuilder {
  const words = createRowWords(wordCharacterRanges())
  let rows = 0
  return {
    add({ titles, texts }) {
      words.add(titles.join('\n'), texts.join('\n'))
      rows += 1
    },
    build(stemmer, atOnce = rowsAtOnce) {
      const distinct = words.finish()
      const rowCount = rows + (others?.rows ?? 0)
      const stemmed = mergeSpellings(
        stemWords(distinct.words, distinct.rows.length, stemmer),
        others === undefined ? distinct.rows : rowsOfBoth(distinct, others),
        rowCount,
      )
      const { stems } = stemmed
      const postings = distinct.stem(stemmed)
      const rarities = Float64Array.from(postings.rows, (own, stem) =>
        rarityOf(own + (others?.rowsWith(stems[stem] ?? '') ?? 0), rowCount),
      )
      const { rows: otherRows, meanWords } = others ?? { rows: 0, meanWords: 0 }
      const meanLength = (distinct.total + meanWords * otherRows) / rowCount
      const formula = { rarities, saturation, lengthShare, meanLength, titleWeight }
      return { stems, parts: postings.postings({ ...formula, units: impactUnits }, atOnce) }
    },
  }
}

/** How many rows of both indexes have each word. */
function rowsOfBoth({ words, rows }: DistinctWords, others: OtherRows): Uint32Array {
  const both = rows.slice()
  let word = 0
  for (const text of words) {
    both[word] = (both[word] ?? 0) + others.rowsWith(text)
    word += 1
  }
  return both
}

const rarityOf = (rowsWithStem: number, rowCount: number) =>
  Math.log(1 + (rowCount - rowsWithStem + 0.5) / (rowsWithStem + 0.5))

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
import { gatherStems, type NumberedRow } from './gather-stems.js'
import { mergeSpellings } from './spellings.js'
import { stemWords } from './stemmed-words.js'
import { createWordNumbers } from './word-numbers.js'
import type { Stemmer } from '../../base/text/stemmer.js'

export interface Document {
  /** The title and its alternatives. */
  readonly titles: readonly string[]
  readonly texts: readonly string[]
}

export interface Postings {
  /** The stem, or the key of its spelling if few rows have it. Postings come in the order of its bytes in UTF-8. */
  readonly stem: string
  /** Ascending. */
  readonly rows: Uint32Array
  /** What the stem adds to the score of the row at the same position, in 1024ths. */
  readonly impacts: Uint16Array
}

/**
 * Impacts are whole numbers of 1024ths: at most 65,535 of them are 64, which no impact reaches, because a rarity is at
 * most 22 (of 2^32 rows) and counts less than k1 + 1 times. A score is off by at most half of one for each stem of the query.
 * One byte would be off by more than neighbouring rows differ.
 */
const impactUnits = 1024
const maxImpact = 65_535

/** bm25's usual constants: how soon repetition stops to count, how much length does. */
const saturation = 1.2
const lengthShare = 0.75

/** A word of the title counts as two of the texts. */
const titleWeight = 2

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
   * Postings of all rows, in order of the stems. The last call.
   * @param atOnce words that are gathered at a time; it affects only memory
   */
  build(stemmer: Stemmer, atOnce?: number): Generator<Postings>
}

/** Keeps four bytes for each word. Splits every text once and stems every distinct word once. */
export function createPostingsBuilder(others?: OtherRows): PostingsBuilder {
  const words = createWordNumbers()
  const store = createNumberStore()
  const rows: NumberedRow[] = []
  return {
    add({ titles, texts }) {
      const numbers: number[] = []
      for (const title of titles) words.read(title, numbers)
      const titleWords = numbers.length
      for (const text of texts) words.read(text, numbers)
      rows.push({ words: store(numbers), titleWords })
    },
    *build(stemmer, atOnce) {
      const norms = normsOf(rows, others)
      const rowCount = rows.length + (others?.rows ?? 0)
      const counts = countRows(rows, words.count)
      if (others !== undefined) {
        let word = 0
        for (const text of words.words()) {
          counts[word] = (counts[word] ?? 0) + others.rowsWith(text)
          word += 1
        }
      }
      const stemmed = mergeSpellings(
        stemWords(words.words(), words.count, stemmer),
        counts,
        rowCount,
      )
      for (const { stem, rows: own, weights } of gatherStems(rows, stemmed, titleWeight, atOnce)) {
        const rarity = rarityOf(own.length + (others?.rowsWith(stem) ?? 0), rowCount)
        yield { stem, rows: own, impacts: impactsOf(own, weights, { norms, rarity }) }
      }
    },
  }
}

/** Puts lists of numbers one after the other into blocks of 4 MB, which costs less than an array each. */
function createNumberStore(): (numbers: readonly number[]) => Uint32Array {
  let block = new Uint32Array(0)
  let used = 0
  return (list) => {
    if (used + list.length > block.length) {
      block = new Uint32Array(Math.max(1 << 20, list.length))
      used = 0
    }
    const stored = block.subarray(used, used + list.length)
    stored.set(list)
    used += list.length
    return stored
  }
}

/** How many rows have each word. */
function countRows(rows: readonly NumberedRow[], wordCount: number): Uint32Array {
  const counts = new Uint32Array(wordCount)
  const lastRow = new Int32Array(wordCount).fill(-1)
  for (const [row, { words }] of rows.entries()) {
    for (const word of words) {
      if (lastRow[word] === row) continue
      lastRow[word] = row
      counts[word] = (counts[word] ?? 0) + 1
    }
  }
  return counts
}

/** The length normalization of each row. */
function normsOf(rows: readonly NumberedRow[], others: OtherRows | undefined): Float64Array {
  const { rows: otherRows, meanWords } = others ?? { rows: 0, meanWords: 0 }
  const own = rows.reduce((sum, { words }) => sum + words.length, 0)
  const meanLength = (own + meanWords * otherRows) / (rows.length + otherRows)
  return Float64Array.from(
    rows,
    ({ words: { length } }) => saturation * (1 - lengthShare + (lengthShare * length) / meanLength),
  )
}

const rarityOf = (rowsWithStem: number, rowCount: number) =>
  Math.log(1 + (rowCount - rowsWithStem + 0.5) / (rowsWithStem + 0.5))

/** What a stem adds to each of its rows. */
function impactsOf(
  rows: Uint32Array,
  weights: Uint32Array,
  { norms, rarity }: { readonly norms: Float64Array; readonly rarity: number },
): Uint16Array {
  const impacts = new Uint16Array(rows.length)
  for (let position = 0; position < rows.length; position += 1) {
    const weight = weights[position] ?? 0
    const norm = norms[rows[position] ?? 0] ?? 0
    const impact = (rarity * weight * (saturation + 1)) / (weight + norm)
    // Not zero: a row with a word of the query is a hit.
    impacts[position] = Math.min(maxImpact, Math.max(1, Math.round(impact * impactUnits)))
  }
  return impacts
}

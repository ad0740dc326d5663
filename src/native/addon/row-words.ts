/**
 * The words of rows, split, numbered and turned into postings in the core, so that an import has neither a string nor a list
 * of each; see native/core/rows/row_words.h and stem_postings.h.
 */
import { loadAddon } from './addon.js'
import type { NativePostingsPart } from './contract.js'

export interface RowWords {
  /**
   * Adds the words of the next row. A thread of the core splits them; the call blocks while much waits for it.
   * @param titles separated by lines, as are the texts
   */
  add(titles: string, texts: string): void
  /** All rows are added. Once. */
  finish(): DistinctWords
}

export interface DistinctWords {
  /** In the order in which they first occur, which numbers them. */
  readonly words: Iterable<string>
  /** How many rows have each. */
  readonly rows: Uint32Array
  /** Words of all rows, repeated ones included. */
  readonly total: number
  /** Gives each word its stems. Once. */
  stem(stems: WordStems): StemPostings
}

export interface WordStems {
  /** The distinct stems, in the order of their bytes. */
  readonly stems: readonly string[]
  /**
   * Of each word, the position of its stem. A few words have several stems or none: theirs is
   * `stems.length` plus a position in `others`.
   */
  readonly codes: Uint32Array
  readonly others: readonly (readonly number[])[]
}

interface StemPostings {
  /** How many rows have each stem. */
  readonly rows: Uint32Array
  /**
   * What a `.rows` file has of the stems, one part after the other. Once.
   * @param atOnce rows of stems that are in memory at a time
   */
  postings(formula: Bm25, atOnce: number): Generator<PostingsPart>
}

/** See postings.ts for the formula. */
interface Bm25 {
  /** Of each stem. */
  readonly rarities: Float64Array
  readonly saturation: number
  readonly lengthShare: number
  /** Words of a row. */
  readonly meanLength: number
  /** How often a word of a title counts. */
  readonly titleWeight: number
  /** Of an impact in 1. */
  readonly units: number
}

export type PostingsPart = NativePostingsPart

/** @param wordCharacters the first and the last code point of each range of characters that words consist of */
export function createRowWords(wordCharacters: Uint32Array): RowWords {
  const native = new (loadAddon().RowWords)(wordCharacters)
  return {
    add: (titles, texts) => native.add(titles, texts),
    finish() {
      const { units, ends, rows, total } = native.finish()
      return {
        words: { [Symbol.iterator]: () => textsOf(units, ends) },
        rows,
        total,
        stem({ stems, codes, others }) {
          let end = 0
          const otherEnds = Uint32Array.from(others, ({ length }) => (end += length))
          return {
            rows: native.setStems(stems.length, codes, otherEnds, Uint32Array.from(others.flat())),
            *postings(
              { rarities, saturation, lengthShare, meanLength, titleWeight, units },
              atOnce,
            ) {
              native.setFormula(rarities, saturation, lengthShare, meanLength, titleWeight, units)
              for (let part = native.next(atOnce); part !== null; part = native.next(atOnce))
                yield part
            },
          }
        },
      }
    },
  }
}

function* textsOf(units: Uint16Array, ends: Uint32Array): Generator<string> {
  const bytes = Buffer.from(units.buffer)
  let begin = 0
  for (const end of ends) {
    yield bytes.toString('utf16le', begin * 2, end * 2)
    begin = end
  }
}

/**
 * The full-text index: of every stem, the rows that have it and what it adds to a row's bm25. The
 * parts of the score that do not depend on the query are settled when the catalogue is built, so
 * that a search only adds: measured a hundred times as fast as FTS5's bm25, which scores row by
 * row and would hold the event loop for tens of milliseconds (bench/import.ts prints both).
 */
import { splitWords, type Stemmer } from './words.js'

export interface Document {
  /** The title and its alternatives. */
  readonly titles: readonly string[]
  readonly texts: readonly string[]
}

export interface Postings {
  readonly stem: string
  /** Ascending. */
  readonly rows: Uint32Array
  /** What the stem adds to the score of the row at the same position. */
  readonly impacts: Float32Array
}

/** bm25's usual constants: how soon repetition stops to count, how much length does. */
const saturation = 1.2
const lengthShare = 0.75

/** A word of the title counts as two of the texts. */
const titleWeight = 2

/** Postings of all documents, the row being the position of each, in order of the stems. */
export function* buildPostings(
  documents: readonly Document[],
  stemmer: Stemmer,
): Generator<Postings> {
  const stemsOf = stemAll(documents, stemmer)
  const byStem = new Map<string, { rows: number[]; weights: number[] }>()
  const lengths = documents.map((document, row) => {
    const { weights, length } = weigh(document, stemsOf)
    for (const [stem, weight] of weights) {
      const postings = byStem.get(stem) ?? { rows: [], weights: [] }
      byStem.set(stem, postings)
      postings.rows.push(row)
      postings.weights.push(weight)
    }
    return length
  })
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / documents.length
  for (const stem of [...byStem.keys()].sort()) {
    const { rows, weights } = byStem.get(stem) ?? { rows: [], weights: [] }
    const rarity = Math.log(1 + (documents.length - rows.length + 0.5) / (rows.length + 0.5))
    const impacts = weights.map((weight, position) => {
      const length = lengths[rows[position] ?? 0] ?? 0
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / meanLength)
      return (rarity * weight * (saturation + 1)) / (weight + norm)
    })
    yield { stem, rows: Uint32Array.from(rows), impacts: Float32Array.from(impacts) }
  }
}

/** Rows and then impacts, four bytes each, least significant first as on every platform of Node. */
export function packPostings({ rows, impacts }: Postings): Buffer {
  return Buffer.concat([Buffer.from(rows.buffer), Buffer.from(impacts.buffer)])
}

export function unpackPostings(packed: Buffer): Pick<Postings, 'rows' | 'impacts'> {
  // A view of four-byte numbers has to start at a multiple of four.
  const { buffer, byteOffset, length } = packed.byteOffset % 4 === 0 ? packed : Buffer.from(packed)
  const count = length / 8
  return {
    rows: new Uint32Array(buffer, byteOffset, count),
    impacts: new Float32Array(buffer, byteOffset + count * 4, count),
  }
}

function weigh(
  { titles, texts }: Document,
  stemsOf: (word: string) => readonly string[],
): { weights: ReadonlyMap<string, number>; length: number } {
  const weights = new Map<string, number>()
  let length = 0
  const add = (parts: readonly string[], weight: number) => {
    for (const part of parts) {
      for (const word of splitWords(part)) {
        for (const stem of stemsOf(word)) {
          weights.set(stem, (weights.get(stem) ?? 0) + weight)
          length += 1
        }
      }
    }
  }
  add(titles, titleWeight)
  add(texts, 1)
  return { weights, length }
}

/** Every distinct word is stemmed once. */
function stemAll(
  documents: readonly Document[],
  stemmer: Stemmer,
): (word: string) => readonly string[] {
  const words = new Set<string>()
  for (const { titles, texts } of documents) {
    for (const part of [...titles, ...texts]) for (const word of splitWords(part)) words.add(word)
  }
  const distinct = [...words]
  const stems = stemmer.stemEach(distinct)
  const stemsOf = new Map(distinct.map((word, position) => [word, stems[position] ?? []]))
  return (word) => stemsOf.get(word) ?? []
}

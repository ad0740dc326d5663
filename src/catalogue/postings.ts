/**
 * The full-text index: of every stem, the rows that have it and what it adds to a row's bm25. The
 * parts of the score that do not depend on the query are settled when the catalogue is built, so
 * that a search only adds: measured twenty to a hundred times as fast as FTS5's bm25, which scores
 * row by row and would hold the event loop for tens of milliseconds (bench/import.ts prints both).
 */
import { getOrAdd } from '../get-or-add.js'
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
  const { numbered, words } = numberWords(documents)
  const weighted = new Map<string, Weighted>()
  const ofWord = stemmer
    .stemEach(words)
    .map((stems) =>
      stems.map((stem) => getOrAdd(weighted, stem, () => ({ rows: [], weights: [] }))),
    )
  numbered.forEach(({ words: ofRow, titleWords }, row) => {
    ofRow.forEach((word, position) => {
      const weight = position < titleWords ? titleWeight : 1
      for (const stem of ofWord[word] ?? []) addWeight(stem, row, weight)
    })
  })
  const lengths = numbered.map(({ words: ofRow }) => ofRow.length)
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / documents.length
  for (const [stem, { rows, weights }] of [...weighted].sort(byStem)) {
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

interface Weighted {
  readonly rows: number[]
  readonly weights: number[]
}

/** Rows come in ascending order, so a row that is there already is the last. */
function addWeight({ rows, weights }: Weighted, row: number, weight: number): void {
  const last = rows.length - 1
  if (rows[last] === row) weights[last] = (weights[last] ?? 0) + weight
  else {
    rows.push(row)
    weights.push(weight)
  }
}

interface NumberedDocument {
  /** Positions in the list of distinct words, those of the titles first. */
  readonly words: Uint32Array
  readonly titleWords: number
}

/** Every text is split once, and every distinct word is stemmed once. */
function numberWords(documents: readonly Document[]): {
  numbered: readonly NumberedDocument[]
  words: readonly string[]
} {
  const numbers = new Map<string, number>()
  const numbersOf = (parts: readonly string[]) =>
    parts.flatMap(splitWords).map((word) => getOrAdd(numbers, word, () => numbers.size))
  const numbered = documents.map(({ titles, texts }) => {
    const ofTitles = numbersOf(titles)
    return {
      words: Uint32Array.from([...ofTitles, ...numbersOf(texts)]),
      titleWords: ofTitles.length,
    }
  })
  return { numbered, words: [...numbers.keys()] }
}

function byStem([one]: readonly [string, Weighted], [other]: readonly [string, Weighted]): number {
  return one < other ? -1 : 1
}

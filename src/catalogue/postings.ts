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

/** Words that are gathered at a time: 32 MB while they are lists, however many documents there are. */
const wordsAtOnce = 2_000_000

/**
 * Postings of all documents, the row being the position of each, in order of the stems.
 * @param atOnce words that are gathered at a time; it changes nothing but memory
 */
export function* buildPostings(
  documents: readonly Document[],
  stemmer: Stemmer,
  atOnce = wordsAtOnce,
): Generator<Postings> {
  const { numbered, words } = numberWords(documents)
  const { stems, ofWord } = numberStems(words, stemmer)
  const lengths = numbered.map(({ words: ofRow }) => ofRow.length)
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / documents.length
  for (const { begin, end } of partsOf(countStems(numbered, ofWord, stems.length), atOnce)) {
    for (const [position, weighted] of gather(numbered, ofWord, begin, end).entries()) {
      const stem = stems[begin + position] ?? ''
      yield { stem, ...impactsOf(weighted, lengths, meanLength) }
    }
  }
}

/** What a stem adds to each of its rows. */
function impactsOf(
  { rows, weights }: Weighted,
  lengths: readonly number[],
  meanLength: number,
): Pick<Postings, 'rows' | 'impacts'> {
  const rarity = Math.log(1 + (lengths.length - rows.length + 0.5) / (rows.length + 0.5))
  const impacts = weights.map((weight, position) => {
    const length = lengths[rows[position] ?? 0] ?? 0
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / meanLength)
    return (rarity * weight * (saturation + 1)) / (weight + norm)
  })
  return { rows: Uint32Array.from(rows), impacts: Float32Array.from(impacts) }
}

/** The distinct stems in order, and those of each word by their positions. */
function numberStems(words: readonly string[], stemmer: Stemmer) {
  const stemsOfWord = stemmer.stemEach(words)
  const stems = [...new Set(stemsOfWord.flat())].sort()
  const numbers = new Map(stems.map((stem, position) => [stem, position]))
  const ofWord = stemsOfWord.map((own) => own.map((stem) => numbers.get(stem) ?? 0))
  return { stems, ofWord }
}

/** How often each stem occurs. */
function countStems(
  documents: readonly NumberedDocument[],
  ofWord: readonly (readonly number[])[],
  stemCount: number,
): Uint32Array {
  const counts = new Uint32Array(stemCount)
  for (const { words } of documents) {
    for (const word of words) {
      for (const stem of ofWord[word] ?? []) counts[stem] = (counts[stem] ?? 0) + 1
    }
  }
  return counts
}

/** Ranges of stems that occur at most that often together; one that alone does more is a part. */
function* partsOf(counts: Uint32Array, atOnce: number): Generator<{ begin: number; end: number }> {
  let begin = 0
  let sum = 0
  for (const [stem, count] of counts.entries()) {
    if (stem > begin && sum + count > atOnce) {
      yield { begin, end: stem }
      begin = stem
      sum = 0
    }
    sum += count
  }
  if (begin < counts.length) yield { begin, end: counts.length }
}

/** Rows and weights of the stems of a range. */
function gather(
  documents: readonly NumberedDocument[],
  ofWord: readonly (readonly number[])[],
  begin: number,
  end: number,
): readonly Weighted[] {
  const weighted = Array.from({ length: end - begin }, (): Weighted => ({ rows: [], weights: [] }))
  documents.forEach(({ words, titleWords }, row) => {
    words.forEach((word, position) => {
      const weight = position < titleWords ? titleWeight : 1
      for (const stem of ofWord[word] ?? []) {
        const own = stem < end ? weighted[stem - begin] : undefined
        if (own !== undefined) addWeight(own, row, weight)
      }
    })
  })
  return weighted
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

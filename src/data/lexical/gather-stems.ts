/**
 * From the words of rows to the rows of stems. All of them at once would take as much memory again, so
 * they are gathered for one range of stems after the other.
 */
import type { StemmedWords } from './stemmed-words.js'

export interface NumberedRow {
  /** Numbers of its words, those of the titles first. */
  readonly words: Uint32Array
  readonly titleWords: number
}

export interface StemRows {
  readonly stem: string
  /** Ascending. */
  readonly rows: Uint32Array
  /** How often the stem occurs in the row at the same position. To be used before the next stem. */
  readonly weights: Uint32Array
}

/** Words that are gathered at a time: 16 MB while they are lists, however many rows there are. */
const wordsAtOnce = 2_000_000

/**
 * The rows of all stems, in order of the stems. Words are replaced by stems in the rows themselves.
 * @param titleWeight how often a word of the titles counts
 * @param atOnce words that are gathered at a time; it affects only memory
 */
export function* gatherStems(
  rows: readonly NumberedRow[],
  stemmed: StemmedWords,
  titleWeight: number,
  atOnce = wordsAtOnce,
): Generator<StemRows> {
  for (const { words } of rows) replaceWords(words, stemmed)
  const counts = countStems(rows, stemmed)
  for (const range of rangesOf(counts, atOnce)) {
    yield* gatherRange(rows, stemmed, { ...range, counts, titleWeight })
  }
}

/** From then on a row's words are codes, as `StemmedWords` has them. */
function replaceWords(words: Uint32Array, { codes }: StemmedWords): void {
  for (let position = 0; position < words.length; position += 1) {
    words[position] = codes[words[position] ?? 0] ?? 0
  }
}

/** How often each stem occurs. */
function countStems(rows: readonly NumberedRow[], { stems, others }: StemmedWords): Uint32Array {
  const counts = new Uint32Array(stems.length)
  const count = (stem: number) => {
    counts[stem] = (counts[stem] ?? 0) + 1
  }
  for (const { words } of rows) {
    for (const code of words) {
      if (code < stems.length) count(code)
      else others[code - stems.length]?.forEach(count)
    }
  }
  return counts
}

/** Ranges of stems that occur at most that often together; one that alone does more is a range. */
function* rangesOf(counts: Uint32Array, atOnce: number): Generator<{ begin: number; end: number }> {
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

interface Range {
  readonly begin: number
  readonly end: number
  readonly counts: Uint32Array
  readonly titleWeight: number
}

function* gatherRange(
  rows: readonly NumberedRow[],
  { stems, others }: StemmedWords,
  { begin, end, counts, titleWeight }: Range,
): Generator<StemRows> {
  /** Of each stem, where its rows begin and end in the two lists. */
  const starts = new Uint32Array(end - begin)
  let total = 0
  for (let stem = begin; stem < end; stem += 1) {
    starts[stem - begin] = total
    total += counts[stem] ?? 0
  }
  const ends = starts.slice()
  const ofRow = new Uint32Array(total)
  const weights = new Uint32Array(total)
  const add = (stem: number, row: number, weight: number) => {
    const next = ends[stem - begin] ?? 0
    const isKnown = next > (starts[stem - begin] ?? 0) && ofRow[next - 1] === row
    const slot = isKnown ? next - 1 : next
    ofRow[slot] = row
    weights[slot] = (weights[slot] ?? 0) + weight
    ends[stem - begin] = slot + 1
  }
  for (const [row, { words, titleWords }] of rows.entries()) {
    for (let position = 0; position < words.length; position += 1) {
      const code = words[position] ?? 0
      if (code < begin || (code >= end && code < stems.length)) continue
      const weight = position < titleWords ? titleWeight : 1
      if (code < end) add(code, row, weight)
      else {
        for (const stem of others[code - stems.length] ?? []) {
          if (stem >= begin && stem < end) add(stem, row, weight)
        }
      }
    }
  }
  for (let stem = begin; stem < end; stem += 1) {
    const [from, to] = [starts[stem - begin] ?? 0, ends[stem - begin] ?? 0]
    yield {
      stem: stems[stem] ?? '',
      rows: ofRow.slice(from, to),
      weights: weights.subarray(from, to),
    }
  }
}

/**
 * How rare the words of titles are in prose, in bits: -log2 of the share of texts that have the word.
 * "Another" is a title and a common word; "naruto" is not. Without texts, titles have to do.
 */
import { foldWords } from '../../base/text/fold-words.js'
import type { TitlesOfTexts } from './read-titles.js'

/** One byte holds 0 to 15.9 bits. */
export const rarityStep = 1 / 16

/** Texts beyond these add nothing. */
const sampleSize = 10_000
/** Fewer texts say less than the titles do. */
const enoughTexts = 200

/** Of each word in the order of its number, in steps. */
export function measureRarity(
  words: TitlesOfTexts,
  titleCount: number,
  texts: Iterable<string>,
): Uint8Array {
  const counts = new Uint32Array(words.numbers.count)
  let total = countInTexts(words, texts, counts)
  if (total < enoughTexts) {
    total = titleCount
    countInTitles(words, counts)
  }
  return Uint8Array.from(counts, (count) => {
    const bits = -Math.log2((count + 0.5) / (total + 1))
    return Math.min(255, Math.max(0, Math.round(bits / rarityStep)))
  })
}

function countInTexts(words: TitlesOfTexts, texts: Iterable<string>, counts: Uint32Array): number {
  let total = 0
  for (const text of texts) {
    for (const word of new Set(foldWords(text).map((folded) => folded.word))) {
      const number = words.numbers.find(word)
      if (number >= 0) counts[number] = (counts[number] ?? 0) + 1
    }
    total += 1
    if (total === sampleSize) break
  }
  return total
}

function countInTitles(words: TitlesOfTexts, counts: Uint32Array): void {
  counts.fill(0)
  const pairs = words.pairs.view()
  for (let at = 0; at < pairs.length; at += 2) {
    const number = pairs[at] ?? 0
    counts[number] = (counts[number] ?? 0) + 1
  }
}

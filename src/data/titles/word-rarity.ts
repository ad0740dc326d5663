/**
 * How rare the words of titles are in prose, in bits: -log2 of the share of texts that have the word.
 * "Another" is a title and a common word; "naruto" is not. Without texts, titles have to do.
 */
import { foldWords } from '../../base/text/fold-words.js'
import type { TitleTable } from '../../native/addon/title-table.js'

/** One byte holds 0 to 15.9 bits. */
export const rarityStep = 1 / 16

/** Texts beyond these add nothing. */
const sampleSize = 10_000
/** Fewer texts say less than the titles do. */
const enoughTexts = 200

/** Of each word in the order of its number, in steps. */
export function measureRarity(table: TitleTable, texts: Iterable<string>): Uint8Array {
  const counts = table.countWords()
  const inTexts = countInTexts(table, texts, counts.length)
  const { total, of } = inTexts.total < enoughTexts ? { total: table.count, of: counts } : inTexts
  return Uint8Array.from(of, (count) => {
    const bits = -Math.log2((count + 0.5) / (total + 1))
    return Math.min(255, Math.max(0, Math.round(bits / rarityStep)))
  })
}

function countInTexts(table: TitleTable, texts: Iterable<string>, wordCount: number) {
  const of = new Uint32Array(wordCount)
  let total = 0
  for (const text of texts) {
    const words = new Set(foldWords(text).map(({ word }) => word))
    for (const number of table.findWords([...words])) of[number] = (of[number] ?? 0) + 1
    total += 1
    if (total === sampleSize) break
  }
  return { total, of }
}

/** The stems of distinct words, as numbers. */
import type { WordStems } from '../../native/addon/row-words.js'
import { getOrAdd } from '../../base/util/get-or-add.js'
import type { Stemmer } from '../../base/text/stemmer.js'

/** @param wordCount how many words there are */
export function stemWords(words: Iterable<string>, wordCount: number, stemmer: Stemmer): WordStems {
  const numbers = new Map<string, number>()
  const firstOfWord = new Uint32Array(wordCount)
  const others = new Map<number, readonly number[]>()
  let word = 0
  for (const own of stemmer.stemEach(words)) {
    const found = own.map((stem) => getOrAdd(numbers, stem, () => numbers.size))
    firstOfWord[word] = found[0] ?? 0
    if (found.length !== 1) others.set(word, found)
    word += 1
  }
  const stems = [...numbers.keys()].sort()
  const positions = new Uint32Array(stems.length)
  stems.forEach((stem, position) => {
    positions[numbers.get(stem) ?? 0] = position
  })
  const codes = firstOfWord.map((number) => positions[number] ?? 0)
  const positionsOfOthers = [...others].map(([word, own], position) => {
    codes[word] = stems.length + position
    return own.map((number) => positions[number] ?? 0)
  })
  return { stems, codes, others: positionsOfOthers }
}

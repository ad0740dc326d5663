/** Whether a text describes how a story goes on, or a film or special of it, and not how it begins. */
import { createTrie } from './trie.js'
import { stemsOf } from '../../base/text/words.js'

/** From so many different phrases on nothing is unclear. */
const sureFrom = 2

/** 0 to 1. */
export type ContinuationOf = (text: string) => number

export function createContinuationOf(phrases: readonly string[]): ContinuationOf {
  const trie = createTrie<string>()
  for (const phrase of phrases) trie.add(phrase, phrase)
  return (text) => {
    const stems = stemsOf(text)
    const found = new Set<string>()
    stems.forEach((_, position) => {
      let longest: readonly string[] = []
      trie.each(stems, position, (_, values) => (longest = values))
      for (const phrase of longest) found.add(phrase)
    })
    return Math.min(1, found.size / sureFrom)
  }
}

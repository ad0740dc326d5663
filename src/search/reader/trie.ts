/** Phrases of several words with what they stand for, in one trie: one pass over a query finds all that begin at a word. */
import { stemsOfPhrase } from '../../base/text/words.js'

interface Node<T> {
  readonly next: Map<string, Node<T>>
  values?: T[]
}

export interface Trie<T> {
  add(phrase: string, value: T): void
  /** Calls back for every phrase that begins at the position, the shortest first. */
  each(
    stems: readonly string[],
    position: number,
    take: (length: number, values: readonly T[]) => void,
  ): void
  /** Whether some phrase has the stem. */
  hasStem(stem: string): boolean
}

export function createTrie<T>(): Trie<T> {
  const root: Node<T> = { next: new Map() }
  const known = new Set<string>()
  return {
    add(phrase, value) {
      const stems = stemsOfPhrase(phrase)
      if (stems.length === 0) return
      let node = root
      for (const stem of stems) {
        known.add(stem)
        let next = node.next.get(stem)
        if (next === undefined) node.next.set(stem, (next = { next: new Map() }))
        node = next
      }
      node.values ??= []
      if (!node.values.includes(value)) node.values.push(value)
    },
    each(stems, position, take) {
      let node = root.next.get(stems[position] ?? '')
      for (let length = 1; node !== undefined; length += 1) {
        if (node.values !== undefined) take(length, node.values)
        node = node.next.get(stems[position + length] ?? '')
      }
    },
    hasStem: (stem) => known.has(stem),
  }
}

/** Characters, and the words that name them. */
import { foldWords } from '../../base/text/fold-words.js'
import { romanizeWord } from '../../base/text/romanize.js'
import { createNamedNumbers } from '../../native/addon/named-numbers.js'
import type { RowIndexSection } from '../rows/build-row-index.js'

export interface Characters {
  /** Adds those of the next row. A name in several cases is one character. */
  add(names: readonly string[], row: number): void
  /**
   * The rows of each character by the name as written first, and the numbers of the names by the words that name them. The
   * last call.
   */
  sections(): Generator<RowIndexSection>
}

export function createCharacters(): Characters {
  const characters = createNamedNumbers('character')
  return {
    add(names, row) {
      for (const name of names) characters.add(name.toLowerCase(), row, name)
    },
    *sections() {
      const { names, sections } = characters.build()
      yield* sections
      const keys = createNamedNumbers('character-key')
      let number = 0
      for (const name of names) {
        for (const key of characterKeys(name)) keys.add(key, number)
        number += 1
      }
      yield* keys.build().sections
    },
  }
}

/** A shorter word of a name is too often another word. */
const minWordLength = 3

/** The words that name a character: the whole name, of two words either first, or the first or the last word that is not short. */
export function characterKeys(name: string): ReadonlySet<string> {
  const words = foldWords(name).map(({ word }) => romanizeWord(word))
  const keys = new Set<string>()
  if (words.length > 1) keys.add(words.join(' '))
  // Of Japanese names either part may come first.
  if (words.length === 2) keys.add(words.toReversed().join(' '))
  const named = words.filter((word) => words.length === 1 || word.length >= minWordLength)
  // The month of `Vignette April Tsukinose` names nobody.
  for (const word of [named[0], named.at(-1)]) if (word !== undefined) keys.add(word)
  return keys
}

/** Characters, and the words that name them. */
import { foldWords } from '../../base/text/fold-words.js'
import { romanizeWord } from '../../base/text/romanize.js'
import { getOrAdd } from '../../base/util/get-or-add.js'
import type { FactList } from './fact-lists.js'

/** A shorter word of a name is too often another word. */
const minWordLength = 3

/**
 * The rows of each character by the name as written.
 * @param lists in the order of the bytes of their names
 */
export const charactersOf = (lists: readonly FactList[]): ReadonlyMap<string, Uint32Array> =>
  new Map(
    lists
      .filter(({ kind }) => kind === 'character')
      .map(({ value, rows }) => [value, rows] as const),
  )

/**
 * The numbers of the names that words name, ascending, by the words: a whole name, of two words either first, or the
 * first or the last word that is not short.
 * @param names in the order of their numbers
 */
export function characterKeys(names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const keys = new Map<string, number[]>()
  names.forEach((name, number) => {
    const words = foldWords(name).map(({ word }) => romanizeWord(word))
    const own = new Set<string>()
    if (words.length > 1) own.add(words.join(' '))
    // Of Japanese names either part may come first.
    if (words.length === 2) own.add(words.toReversed().join(' '))
    const named = words.filter((word) => words.length === 1 || word.length >= minWordLength)
    // The month of `Vignette April Tsukinose` names nobody.
    for (const word of [named[0], named.at(-1)]) if (word !== undefined) own.add(word)
    for (const key of own) getOrAdd(keys, key, () => []).push(number)
  })
  return keys
}

/** What names works: titles, characters, first letters and series, as the index of rows has them. */
import { notFound, type RowIndex } from '../../native/addon/row-index.js'
import { openTitleIndex, type TitleIndex } from '../titles/title-index.js'
import { areInitials } from './initials.js'

export interface WorkNames {
  readonly titles: TitleIndex
  /** Undefined where no work has any. */
  readonly characters: CharacterNames | undefined
  /** The best-known work whose title has these first letters. */
  readonly initials: (letters: string) => number | undefined
  /** The row that each row continues, -1 of a row that continues none. */
  readonly continued: Int32Array
}

export interface CharacterNames {
  /** Whether a word begins what names a character, in one romanization. */
  begins(word: string): boolean
  /** Of each text of folded words, whether it names a character. */
  areNames(texts: readonly string[]): readonly boolean[]
  /**
   * The characters that the words name: by a whole name, of two words either first, or by its first or last word, in the
   * order of their names.
   */
  named(words: readonly string[]): readonly Character[]
}

export interface Character {
  /** As written. */
  readonly name: string
  /** Ascending. */
  readonly rows: Uint32Array
}

/**
 * Throws a TitleIndexError where the bytes of the titles are none of an index.
 * @param asFault what lookups throw for an error of the index
 */
export function openWorkNames(
  index: RowIndex,
  asFault: (error: unknown) => unknown = (error) => error,
): WorkNames {
  const guarded = <T>(action: () => T): T => {
    try {
      return action()
    } catch (error) {
      throw asFault(error)
    }
  }
  const initial = index.numberLists('initial')
  return {
    titles: openTitleIndex(new Uint8Array(index.section('titles'))),
    characters: openCharacterNames(index, guarded),
    initials(letters) {
      if (!areInitials(letters)) return undefined
      return guarded(() => {
        const [list = notFound] = initial.find([letters])
        return initial.numbers(list)[0]
      })
    },
    continued: new Int32Array(index.section('continued')),
  }
}

function openCharacterNames(
  index: RowIndex,
  guarded: <T>(action: () => T) => T,
): CharacterNames | undefined {
  const characters = index.numberLists('character')
  const keys = index.numberLists('character-key')
  if (!keys.hasBeginning('')) return undefined
  return {
    begins: (word) =>
      guarded(() => {
        const [list = notFound] = keys.find([word])
        return list !== notFound || keys.hasBeginning(`${word} `)
      }),
    areNames: (texts) => guarded(() => Array.from(keys.find(texts), (list) => list !== notFound)),
    named: (words) =>
      guarded(() => {
        const [list = notFound] = keys.find([words.join(' ')])
        return Array.from(keys.numbers(list), (character) => ({
          name: characters.name(character),
          rows: characters.numbers(character),
        }))
      }),
  }
}

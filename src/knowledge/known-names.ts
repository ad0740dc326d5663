/** Names of well-known works: those that name one in any sentence, and those that do where a work is expected. */
import { foldedWords, wordCount } from './title-words.js'
import { nearTitle, partOfTitle } from '../query/read-title.js'
import type { TitleLookup, TitleMatch } from '../query/interpretation.js'
import type { TitleIndex } from '../titles/title-index.js'

/** So many letters at the beginning of a title name it where the work is among the best known twentieth: `jojo`. */
export const minKnownNameLength = 4
/** Works that a rare word may name are known better than average. */
export const knownByWord = 1.2
/** Two words that stand together, and the beginning of a title, are less of a chance. */
export const knownByWords = 0.3
/** The best known twentieth. */
export const wellKnown = 3

export interface KnownNamesOptions extends Required<
  Pick<TitleLookup, 'exact' | 'match' | 'withWords'>
> {
  readonly index: Pick<TitleIndex, 'match'>
  /** Whether hardly any text has a word, or a share of those. */
  readonly isRare: (word: string, share?: number) => boolean
  readonly isMain: Uint8Array
  readonly popularity: Float32Array | undefined
}

const maxBegun = 60
/** The fewer texts have a word, as shares of those with a rare one, the less known is a work that it names. */
const fameOfRare = [
  [0.1, knownByWords],
  [0.3, knownByWord],
  [1, wellKnown],
] as const

export function createKnownNames({
  index,
  exact,
  match,
  withWords,
  isRare,
  isMain,
  popularity,
}: KnownNamesOptions): Required<Pick<TitleLookup, 'known' | 'sure'>> {
  const isKnown = ({ row }: { readonly row: number }) => (popularity?.[row] ?? NaN) >= knownByWord

  /** `frieren` and `jojo` name well-known works by themselves, which `tokyo` and `black` do not. */
  const byName = (name: string): readonly TitleMatch[] => {
    const [word = ''] = foldedWords(name)
    if (word.length < minKnownNameLength || !isRare(word)) return []
    const begun = index
      .match(name, maxBegun, popularity)
      .filter(({ row, quality, title }) => {
        const begins = quality === 'prefix' && foldedWords(title)[0] === word
        return begins && isMain[row] === 1 && isKnown({ row })
      })
      .toSorted((one, other) => (popularity?.[other.row] ?? 0) - (popularity?.[one.row] ?? 0))
      .slice(0, 1)
    const found = begun.length > 0 ? begun : withWords([word]).slice(0, 1)
    return found.map(({ row, title }) => ({ row, title, similarity: partOfTitle }))
  }

  const known = (text: string): readonly TitleMatch[] => {
    const near = match(text).filter(({ similarity }) => similarity > nearTitle)
    if (wordCount(text) > 1) return near
    if (near.some(isKnown)) return near.filter(isKnown)
    const rare = sure(text)
    return rare.length > 0 ? rare : byName(text)
  }

  const sure = (text: string): readonly TitleMatch[] => {
    const same = exact(text)
    if (same.length === 0) return same
    const least = leastFame(foldedWords(text))
    return same.filter(({ row }) => (popularity?.[row] ?? NaN) >= least)
  }

  /** How well known a work has to be that words name in any sentence. */
  const leastFame = (words: readonly string[]): number => {
    const [word = ''] = words
    if (words.length > 1) return words.length > 2 ? knownByWords : knownByWord
    if (word.length < minKnownNameLength) return Infinity
    const [, least = Infinity] = fameOfRare.find(([share]) => isRare(word, share)) ?? []
    return least
  }

  return { known, sure }
}

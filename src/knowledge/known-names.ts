/** Works that a text names wherever it stands, as it is or alone begins a well-known title. */
import { foldedWords, wordCount } from './title-words.js'
import { nearTitle, partOfTitle } from '../query/read-title.js'
import type { TitleLookup, TitleMatch } from '../query/interpretation.js'
import type { TitleIndex } from '../titles/title-index.js'

/** So many letters at the beginning of a title name it where the work is among the best known twentieth: `jojo`. */
export const minKnownNameLength = 4
/** Works that a rare word may name are known better than average. */
export const knownByWord = 1.2
/** Those that a word names in any sentence, though more texts have it, are among the best known twentieth. */
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
/** Of texts with a rare word, those of a work and its sequels. */
const nameShare = 0.1

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
    return near.some(isKnown) ? near.filter(isKnown) : byName(text)
  }

  const sure = (text: string): readonly TitleMatch[] => {
    const [word = '', ...others] = foldedWords(text)
    const same = exact(text)
    if (others.length > 0) return same.filter(isKnown)
    if (word.length < minKnownNameLength || !isRare(word)) return []
    const least = isRare(word, nameShare) ? knownByWord : wellKnown
    return same.filter(({ row }) => (popularity?.[row] ?? NaN) >= least)
  }

  return { known, sure }
}

/** Titles as the interpretation of queries asks for them. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import { createCharacterLookup } from './character-lookup.js'
import { likelyMisremembered, likelyReworded } from './misremembered-titles.js'
import { createKnownNames, knownByWord, knownByWords } from './known-names.js'
import { createNearTitles } from './near-titles.js'
import { withoutShortTitles } from './short-titles.js'
import { beginsWith, isSeveralWords } from './title-words.js'
import { nearTitle, partOfTitle } from '../query/read-title.js'
import type { TitleLookup, TitleMatch, TitleMention } from '../query/interpretation.js'
import { createSameWords, type SameWords } from '../titles/same-words.js'
import type { TitleIndex } from '../titles/title-index.js'

const maxWithWord = 2
/** One work may have a misspelt word. */
const leastWithWord = 2
/** A word that more of the works have, in titles or texts, names none. */
const rareShare = 1 / 60
/** How sure a rare word names a work, and what it adds that it is the whole title of a famous one. */
const namedByWord = 0.5
const wholeTitle = 0.4
const famous = 5
/** So many titles have a word that names several series, and so large a share of the works that have it anywhere. */
const leastOfBrand = 8
const brandShare = 0.5

/**
 * @param rowsWith works that have a word in a title or a text; none for what is no word
 * @param same words that may stand for another in a title
 */
export function createTitleLookup(
  index: TitleIndex,
  popularity: Float32Array | undefined,
  facts: Pick<DatasetFacts, 'isMain' | 'franchises' | 'types' | 'years' | 'places'> &
    Partial<Pick<DatasetFacts, 'characters'>>,
  rowsWith?: (word: string) => Uint32Array,
  same: SameWords = createSameWords([]),
): TitleLookup {
  const { isMain, franchises } = facts
  const fameOf = (row: number) => popularity?.[row] ?? NaN
  const countOf = (word: string) => rowsWith?.(word).length ?? 0
  const hasWord = (word: string, least: number) => countOf(word) >= least
  const most = Math.ceil(franchises.length * rareShare)
  const isRare = (word: string, share = 1) => {
    const count = rowsWith?.(word).length ?? 1
    return count > 0 && count <= most * share
  }
  const { match, nearest, exact, inOrder, newestOf } = createNearTitles(
    index,
    popularity,
    facts,
    (word) => hasWord(word, 1),
  )
  const mentions = (text: string) =>
    index
      .mentions(text)
      .filter(({ begin, end }) => isSeveralWords(text.slice(begin, end)))
      .map(({ begin, end, titles: [first, ...others] }): TitleMention => {
        const rows = [first, ...others].flatMap((title) => (title ? [title.row] : []))
        rows.sort((one, other) => (isMain[other] ?? 0) - (isMain[one] ?? 0))
        return { begin, end, title: first?.title ?? '', rows: [...new Set(rows)].slice(0, 1) }
      })
  const withWords = (words: readonly string[]) => {
    const [word = '', ...others] = words
    if (others.length === 0 && !isRare(word)) return []
    const least = others.length === 0 ? knownByWord : knownByWords
    return (
      index
        .withWords(words, popularity)
        // A series may be no main work, and yet have the word as its title: `mononoke`.
        .filter(({ row, share }) => isMain[row] === 1 || (share === 1 && others.length === 0))
        .filter(({ row }) => fameOf(row) >= least)
        .slice(0, maxWithWord)
        .map(({ row, title, share }): TitleMatch => {
          const fame = Math.min(1, (popularity?.[row] ?? 0) / famous)
          return { row, title, similarity: namedByWord + wholeTitle * share * fame }
        })
    )
  }
  const { known, sure } = createKnownNames({
    index,
    match,
    exact,
    withWords,
    isRare,
    isMain,
    popularity,
  })
  const heads = (text: string) =>
    nearest(text).filter(
      ({ row, title, similarity }) =>
        similarity >= partOfTitle &&
        isMain[row] === 1 &&
        (popularity?.[row] ?? NaN) >= knownByWords &&
        beginsWith(title, text),
    )
  const isWord = (word: string) => hasWord(word, leastWithWord)
  const misremembered = (text: string) => {
    const reworded = likelyReworded(index.reworded(text, same), fameOf, franchises)
    const meant =
      reworded.length > 0 ? reworded : likelyMisremembered(index.misremembered(text), franchises)
    return meant.toSorted(inOrder)
  }
  const titled = (words: readonly string[]) => index.titled(words)
  const brand = (word: string) => {
    const rows = titled([word])
    const isBrand = rows.length >= leastOfBrand && rows.length >= brandShare * countOf(word)
    return isBrand ? rows : []
  }
  const named = createCharacterLookup(
    facts.characters ?? new Map(),
    facts,
    popularity,
    rowsWith ?? (() => new Uint32Array(0)),
  )
  const characters =
    named.characters && withoutShortTitles(named.characters, known, fameOf, franchises)
  return {
    match,
    misremembered,
    exact,
    known,
    sure,
    heads,
    mentions,
    isWord,
    titled,
    withWords,
    brand,
    ...named,
    ...(characters && { characters }),
    newestOf,
  }
}

/** Who types so many words types a title only as it is written. */
const maxTypoLength = 80

export function wholeTitleRows(text: string, { exact, match }: TitleLookup): readonly number[] {
  const matches = text.length > maxTypoLength ? exact(text) : match(text)
  const [best] = matches
  if (best === undefined || best.similarity <= nearTitle) return []
  const same = matches.filter(({ similarity }) => similarity === best.similarity)
  return [...new Set(same.map(({ row }) => row))]
}

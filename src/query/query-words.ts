/** The words of a query with their positions, folded and without plural endings. */
import type { Span } from './interpretation.js'

export interface QueryWord extends Span {
  /** Lower case, without marks and apostrophes: `isn't` is `isnt`, but `he'll` is no hell. */
  readonly folded: string
  /** `folded` without a plural ending. */
  readonly stem: string
  /** Whether a mark that parts clauses follows, the end of a sentence, of a line or of a thought. */
  readonly endsClause: boolean
}

/** `1.5` and `1,000` are one word. */
const wordPattern =
  /(?:\d{1,2}\.(?=\d)|\d{1,3},(?=\d{3}(?!\d)))?[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*\+?/gu

export function queryWords(query: string): readonly QueryWord[] {
  return [...query.matchAll(wordPattern)].map(({ 0: text, index }) => {
    const end = index + text.length
    const folded = foldWord(text)
    return { begin: index, end, folded, stem: stemOfWord(text), endsClause: ends(query, end) }
  })
}

/** The stems of the words, without the rest that is known of them. */
export const stemsOf = (phrase: string): readonly string[] =>
  (phrase.match(wordPattern) ?? []).map(stemOfWord)

/** Of a longer word than `it's`: `takahashi's` is no plural, of which the `s` would stay. */
const possessive = /^(.{3,})['’]s$/u

const stemOfWord = (word: string): string => stemOf(foldWord(possessive.exec(word)?.[1] ?? word))

/** The words as they are compared, without the rest that is known of them. */
export const foldedOf = (phrase: string): readonly string[] =>
  (phrase.match(wordPattern) ?? []).map(foldWord)

/** The stems of the words with a space between. */
export const keyOf = (words: string): string => stemsOf(words).join(' ')

/** The words as they are compared, with a space between. */
export const textOf = (words: readonly QueryWord[]): string =>
  words.map(({ folded }) => folded).join(' ')

const foldWord = (word: string): string =>
  // Most words are folded already.
  /^[a-z0-9]+$/.test(word)
    ? word
    : word
        .normalize('NFKD')
        .replace(/['’](?=ll$)/i, '\u02bc')
        .replace(/[\u0300-\u036f'’]/g, '')
        .normalize('NFC')
        .toLowerCase()

/** Whether a sentence ends after a word; after an ellipsis it goes on. */
export const endsSentence = (query: string, word: QueryWord | undefined): boolean =>
  word !== undefined && /^[.?!](?:\s|$)/.test(query.slice(word.end))

const ends = (query: string, position: number): boolean =>
  /^(?:\s*(?:[,;:()!?…—]|\.(?:[\s.]|$))|[^\S\n]*\n)/.test(query.slice(position))

/** Harman's S-stemmer ("How effective is suffixing?", 1991): plural endings alone. */
export function stemOf(word: string): string {
  if (word.length < 4) return word
  // `movie` meets `movies`, whose singular nobody can tell from that of `stories`.
  if (/[^ae]ie$/.test(word)) return `${word.slice(0, -2)}y`
  if (/[^ae]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:x|ch|sh|ss|z)es$/.test(word)) return word.slice(0, -2)
  return /[^ius]s$/.test(word) ? word.slice(0, -1) : word
}

export const isSuperlative = (word: string): boolean => /..est$/.test(word)

/** What a comparative or superlative may be derived from: `darker` from `dark`, `funniest` from `funny`, `sadder` from `sad`. */
export function positivesOf(word: string): readonly string[] {
  const root = /^(.{2,})(?:er|est)$/.exec(word)?.[1]
  if (root === undefined) return []
  return [
    root,
    `${root}e`,
    ...(root.endsWith('i') ? [`${root.slice(0, -1)}y`] : []),
    ...(root.at(-1) === root.at(-2) ? [root.slice(0, -1)] : []),
  ]
}

/** `Ito` for `Itou`, `shonen` for `Shounen`: names are typed both ways. */
export const withoutLongVowels = (name: string): string =>
  name.replaceAll(/ou|oo/g, 'o').replaceAll('uu', 'u')

/** The words of a text with their positions, as queries, titles and tags are compared. */
import { remember } from './remember.js'
import { foldWords, type FoldedWord } from './fold-words.js'
import { stemOf } from './stem.js'

export interface Word {
  /** Positions in the text, in UTF-16 units: [begin, end). */
  readonly begin: number
  readonly end: number
  /** Lower case, without marks and apostrophes: `isn't` is `isnt`. */
  readonly folded: string
  /** `folded` without a plural ending. */
  readonly stem: string
  /** Whether it begins with a capital letter, or has no lower case letter. */
  readonly isCapital: boolean
  readonly isUpper: boolean
  /** Whether a mark that separates clauses follows: a comma, a bracket, the end of a sentence or a line. */
  readonly endsClause: boolean
  readonly endsSentence: boolean
}

/** @param limit of words; the rest is not read */
export function wordsOf(text: string, limit = Infinity): readonly Word[] {
  return foldWords(text, limit).map((folded) => {
    const { word, begin, end } = folded
    const written = text.slice(begin, end)
    const first = written.charAt(0)
    return {
      begin,
      end,
      folded: word,
      stem: stemOfWord(text, folded),
      isCapital: first !== first.toLowerCase(),
      isUpper: written.length > 1 && written === written.toUpperCase() && /\p{L}/u.test(written),
      ...boundaryAfter(text, end, word),
    }
  })
}

function stemOfWord(text: string, { word, begin, end }: FoldedWord): string {
  const isPossessive = word.endsWith('s') && possessive.test(text.slice(begin, end))
  return stemOf(isPossessive ? word.slice(0, -1) : word)
}

/** `takahashi's`, but not `it's`. */
const possessive = /^.{3,}['’]s$/u

const clauseEnd = /[^\S\n]*(?:[,;:()[\]!?…—*]|\.(?=[\s.]|$)|\s[-–]\s|\n)/uy
const sentenceEnd = /[^\S\n]*(?:\n|['")\]*]+[^\S\n]*\n|['")\]*]*[.?!…]+['")\]*]*(?=\s|$))/uy

/** Their full stop ends nothing: `Takt Op. Destiny`, `Dr. Stone`. */
const abbreviations = new Set(['mr', 'mrs', 'ms', 'dr', 'st', 'vs', 'op', 'vol', 'jr'])

function boundaryAfter(text: string, end: number, word: string) {
  const isShort = text.startsWith('. ', end) && abbreviations.has(word)
  if (isShort) return { endsSentence: false, endsClause: false }
  const isAt = (pattern: RegExp) => {
    pattern.lastIndex = end
    return pattern.test(text)
  }
  const endsSentence = end >= text.length || isAt(sentenceEnd)
  return { endsSentence, endsClause: endsSentence || isAt(clauseEnd) }
}

/** The stems of the words of a text. */
export const stemsOf = (text: string): readonly string[] =>
  foldWords(text).map((folded) => stemOfWord(text, folded))

/** Of a phrase of the lexicon, which a start looks up several times for each dataset: 21,000 with the names of makers, 3 MB. */
export const stemsOfPhrase = remember(32_768, stemsOf)

/** The same with a space between. */
export const keyOf = (phrase: string): string => stemsOfPhrase(phrase).join(' ')

/** `Ito` for `Itou`, `shonen` for `Shounen`: names are typed both ways. */
export const withoutLongVowels = (name: string): string =>
  name.replaceAll(/ou|oo/g, 'o').replaceAll('uu', 'u')

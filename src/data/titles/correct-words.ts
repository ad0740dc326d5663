/**
 * Corrects words that no title has: `demon slyer` is `demon slayer`, since a title has both words. Whole
 * titles with typos are found by edits (match-titles.ts); these are parts of titles whose rest is not typed.
 */
import type { Popularity } from './best-titles.js'
import { minTypoLength } from './compare-titles.js'
import { foldWords } from '../../base/text/fold-words.js'
import { allowedEdits } from '../../base/text/grams.js'
import { intersect, unite } from '../../base/text/ascending-lists.js'
import type { Titles } from './open-titles.js'
import { romanizeWord } from '../../base/text/romanize.js'
import { splitSeason } from './split-season.js'

/** More words are a sentence. */
const maxWords = 8

/**
 * The text with the corrected words, folded; undefined where no word is misspelt, or no title has all the possible
 * words.
 * @param isWord whether a word is neither part of a title nor a typo
 */
export function correctWords(
  titles: Titles,
  text: string,
  isWord: (word: string) => boolean,
  popularity?: Popularity,
): string | undefined {
  const typed = foldWords(text, maxWords + 1).map(({ word }) => word)
  if (typed.length > maxWords) return undefined
  const { base, before } = splitSeason(typed)
  const likely = base.map((word) => formsOf(titles, word, isWord))
  if (!likely.some(({ isTypo }) => isTypo) || likely.some(({ forms }) => forms.length === 0)) {
    return undefined
  }
  const withAll = intersect(
    likely.map(({ forms }) => unite(forms.map((form) => titles.words.titles(form)))),
  )
  const best = bestOf(titles, withAll, popularity)
  if (best === undefined) return undefined
  const right = likely.map(({ isTypo, forms }, at) => {
    const form = isTypo ? forms.find((form) => titles.words.titles(form).includes(best)) : undefined
    return form === undefined ? (base[at] ?? '') : titles.words.set.textOf(form)
  })
  return [...typed.slice(0, before), ...right, ...typed.slice(before + base.length)].join(' ')
}

interface LikelyWord {
  readonly isTypo: boolean
  /** Numbers of the possible words, the nearest first. */
  readonly forms: readonly number[]
}

function formsOf(
  { words: { set } }: Titles,
  word: string,
  isWord: (word: string) => boolean,
): LikelyWord {
  const same = set.find(romanizeWord(word))
  const number = set.find(otherNumbers.get(word) ?? '')
  if (number >= 0) return { isTypo: true, forms: same < 0 ? [number] : [same, number] }
  if (same >= 0) return { isTypo: false, forms: [same] }
  if (word.length < minTypoLength || isWord(word)) return { isTypo: false, forms: [] }
  const near = [...set.near(word, allowedEdits(word.length))]
  const nearest = near.filter(([form]) => set.lengthOf(form) >= minTypoLength)
  return {
    isTypo: true,
    forms: nearest.sort(([, one], [, other]) => one - other).map(([form]) => form),
  }
}

const numbers = 'one two three four five six seven eight nine ten'.split(' ')
/** `7` is typed for `seven`, and `seven` for `7`. */
const otherNumbers: ReadonlyMap<string, string> = new Map(
  numbers.flatMap((word, at): [string, string][] => [
    [word, `${at + 1}`],
    [`${at + 1}`, word],
  ]),
)

/** The title of the best known work. */
function bestOf(
  titles: Titles,
  found: Iterable<number>,
  popularity: Popularity | undefined,
): number | undefined {
  let best: number | undefined
  let most = -Infinity
  for (const title of found) {
    const known = popularity?.[titles.row(title)] ?? NaN
    const value = Number.isNaN(known) ? -Number.MAX_VALUE : known
    if (best !== undefined && value <= most) continue
    best = title
    most = value
  }
  return best
}

/** Words that are cut short: `aprl` is april, `vio` violet. */
import type { TextSet } from './text-set.js'

/** Fewer letters begin too many words. */
const minBeginning = 3
/** Fewer consonants are those of too many words. */
const minConsonants = 2
/** So many letters of a word are left out at most, for each that is given. */
const maxLeftOut = 1.5

/** Bound of the time: beginnings that more words have mean too little. */
const maxWords = 100

const vowels = ['', 'a', 'e', 'i', 'o', 'u']

/** Whether a word begins another, or is the other without some of its vowels. */
export function isCut(word: string, whole: string): boolean {
  if (word.length >= whole.length || !whole.startsWith(word.charAt(0))) return false
  if (whole.length > word.length * (1 + maxLeftOut)) return false
  if (word.length >= minBeginning && whole.startsWith(word)) return true
  return consonantsOf(word).length >= minConsonants && lacksVowels(word, whole)
}

/** The numbers of words that the given one begins, or is without some vowels, at most one of them between the first two letters. */
export function wholeWords(words: TextSet, cut: string): readonly number[] {
  const [first = '', second = ''] = cut
  const most = cut.length * (1 + maxLeftOut)
  return vowels
    .map((vowel) => words.startingWith(first + vowel + second))
    .filter(({ length }) => length <= maxWords)
    .flatMap((numbers) => [...numbers])
    .filter((number) => words.lengthOf(number) <= most && isCut(cut, words.textOf(number)))
}

const consonantsOf = (word: string): string => word.replaceAll(/[aeiou]/g, '')

/** Whether all that a word lacks of another are vowels. */
function lacksVowels(word: string, whole: string): boolean {
  let at = 0
  for (const letter of whole) {
    if (letter === word.charAt(at)) at += 1
    else if (!'aeiou'.includes(letter)) return false
  }
  return at === word.length
}

import { remember } from './remember.js'

/** Shorter ones are numbers and exclamations: "II" is not "I". */
const minLength = 3
const latin = /^[a-z0-9]+$/
/** Most words have nothing of all that. */
const variable = /[sc]h|tsu|j|d[zj]|dz|fu|m[bp]|o[uho]|uu|aa|ii|ee/

/**
 * One spelling for the ways in which Japanese is written in Latin letters: Hepburn, Kunrei and what
 * people type, with long vowels short. English words are folded in the same way; only equality counts.
 */
export function romanizeWord(word: string): string {
  if (word === 'wo') return 'o'
  return word.length < minLength || !variable.test(word) ? word : romanizeVariable(word)
}

const romanizeVariable = remember(20_000, (word: string): string => {
  if (!latin.test(word)) return word
  return word
    .replace(/sh(?=[aueo])/g, 'sy')
    .replace(/shi/g, 'si')
    .replace(/t?ch(?=[aueo])/g, 'ty')
    .replace(/t?chi/g, 'ti')
    .replace(/tsu/g, 'tu')
    .replace(/jy?(?=[aueo])/g, 'zy')
    .replace(/ji/g, 'zi')
    .replace(/d[zj]i/g, 'zi')
    .replace(/d[zj]u|dzu/g, 'zu')
    .replace(/fu/g, 'hu')
    .replace(/m(?=[bp])/g, 'n')
    .replace(/o[uho](?![aeiou])|oo/g, 'o')
    .replace(/uu/g, 'u')
    .replace(/aa/g, 'a')
    .replace(/ii/g, 'i')
    .replace(/ee/g, 'e')
})

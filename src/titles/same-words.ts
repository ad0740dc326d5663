/** Words that people take one for another where they tell a title: inflected, misspelt, cut off, or of the same meaning. */
import { textDistance } from './edit-distance.js'
import { allowedEdits } from './grams.js'
import { romanizeWord } from './romanize.js'

/** A word, or a phrase that has a meaning of its own. */
export interface ToldWord {
  /** Romanized, without spaces between. */
  readonly word: string
  readonly stem: string
  readonly parts: readonly string[]
  readonly meanings: readonly number[]
}

export interface SameWords {
  /** The words of a title or a query. */
  told(words: readonly string[]): readonly ToldWord[]
  /** The forms of a word, or of words that mean the same, that titles may have; few. */
  forms(word: ToldWord): readonly string[]
}

interface Phrase {
  readonly stems: readonly string[]
  readonly meanings: number[]
}

/** @param alike phrases of each meaning, in small letters without marks: `city`, `town` */
export function createSameWords(alike: readonly (readonly string[])[]): SameWords {
  const phrases = new Map<string, Phrase>()
  for (const [meaning, group] of alike.entries()) {
    for (const phrase of group) {
      const stems = phrase.split(' ').map(stemOf)
      const known = phrases.get(stems.join(' ')) ?? { stems, meanings: [] }
      known.meanings.push(meaning)
      phrases.set(stems.join(' '), known)
    }
  }
  const several = [...phrases.values()].filter(({ stems }) => stems.length > 1)

  function told(words: readonly string[]): readonly ToldWord[] {
    const stems = words.map(stemOf)
    const isAt = (at: number) => (phrase: Phrase) =>
      phrase.stems.every((stem, place) => stem === stems[at + place])
    const all: ToldWord[] = []
    for (let at = 0; at < words.length;) {
      const { length } = several.find(isAt(at))?.stems ?? [at]
      const [parts, own] = [words.slice(at, at + length), stems.slice(at, at + length)]
      const meanings = phrases.get(own.join(' '))?.meanings ?? []
      all.push({ word: romanizeWord(parts.join('')), stem: own.join(''), parts, meanings })
      at += length
    }
    return all
  }

  function forms({ parts, meanings }: ToldWord): readonly string[] {
    const others = meanings.flatMap((meaning) => alike[meaning] ?? [])
    return [parts, ...others.map((phrase) => phrase.split(' '))].flatMap((words) =>
      inflections(words.reduce((one, other) => (other.length > one.length ? other : one), '')),
    )
  }

  return { told, forms }
}

/** How sure each kind of likeness is. */
const inflected = 0.97
const alike = 0.9
const nearly = 0.85

/** Shorter words begin too many others, and are near them. */
const minLength = 5

/** How surely one word stands for another; 0 where it does not. */
export function likenessOf(one: ToldWord, other: ToldWord): number {
  if (one.word === other.word) return 1
  if (one.stem === other.stem) return inflected
  if (one.meanings.some((meaning) => other.meanings.includes(meaning))) return alike
  const [short, long] = one.word.length < other.word.length ? [one, other] : [other, one]
  if (!one.word.startsWith(other.word.charAt(0)) || short.word.length < minLength) return 0
  return long.word.startsWith(short.word) || isTypo(one.word, other.word) ? nearly : 0
}

/** A loan word may be written by how it sounds: `serafu` is `seraph`. */
function isTypo(one: string, other: string): boolean {
  const most = allowedEdits(Math.min(one.length, other.length))
  return textDistance(one, other, most) <= most || soundOf(one) === soundOf(other)
}

/** By how Japanese says it: without l, ph and v, and without a vowel behind the last consonant. */
const soundOf = (word: string): string =>
  word
    .replaceAll('ph', 'h')
    .replaceAll('f', 'h')
    .replaceAll('l', 'r')
    .replaceAll('v', 'b')
    .replace(/(?<=[^aeiou])[uo]$/, '')

const endings = ['', 's', 'es', 'ed', 'ing']

function inflections(word: string): readonly string[] {
  const stem = stemOf(word)
  return [...new Set([word, ...endings.flatMap((ending) => [stem + ending, `${stem}e${ending}`])])]
}

/** `witches`, `saying` and `picked` without their endings; equal words stay equal, which is all that counts. */
const stemOf = (word: string): string =>
  word.replace(/(?<=...)(?:ing|ed|es|s)$/, '').replace(/(?<=...)e$/, '')

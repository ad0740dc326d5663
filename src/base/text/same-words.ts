/** Words that people take one for another in a title: inflected, misspelt, cut off, or of the same meaning. */
import { textDistance } from './edit-distance.js'
import { allowedEdits } from './grams.js'
import { romanizeWord } from './romanize.js'

/** A word, or a phrase that has a meaning of its own. */
export interface ComparedWord {
  /** Romanized, without spaces between. */
  readonly word: string
  readonly stem: string
  readonly parts: readonly string[]
  readonly meanings: readonly number[]
  /** Stems of words of nearly the same meaning. */
  readonly synonyms: readonly string[]
}

export interface SameWords {
  /** The words of a title or a query. */
  wordsOf(words: readonly string[]): readonly ComparedWord[]
  /** The forms of a word, or of words that mean the same, that titles may have; few. */
  forms(word: ComparedWord): readonly string[]
  /** The forms of its synonyms. */
  synonymForms(word: ComparedWord): readonly string[]
}

interface Phrase {
  readonly stems: readonly string[]
  readonly meanings: number[]
}

/** Words of nearly the same meaning as a word. */
export type Synonyms = ReadonlyMap<string, readonly string[]>

/**
 * @param alike phrases of each meaning, in small letters without marks: `city`, `town`
 * @param synonyms single words, which are less sure
 */
export function createSameWords(
  alike: readonly (readonly string[])[],
  synonyms: Synonyms = new Map(),
): SameWords {
  const phrases = new Map<string, Phrase>()
  for (const [meaning, group] of alike.entries()) {
    for (const phrase of group) {
      const stems = phrase.split(' ').map(stemOf)
      const known = phrases.get(stems.join(' ')) ?? { stems, meanings: [] }
      known.meanings.push(meaning)
      phrases.set(stems.join(' '), known)
    }
  }
  const near = byStem(synonyms)
  const nearStems = new Map(Array.from(near, ([stem, others]) => [stem, others.map(stemOf)]))
  /** Phrases of several words, by the first of them. */
  const several = new Map<string, Phrase[]>()
  for (const phrase of phrases.values()) {
    const [first = '', second] = phrase.stems
    if (second !== undefined) several.set(first, [...(several.get(first) ?? []), phrase])
  }

  function wordsOf(words: readonly string[]): readonly ComparedWord[] {
    const stems = words.map(stemOf)
    const isAt = (at: number) => (phrase: Phrase) =>
      phrase.stems.every((stem, place) => stem === stems[at + place])
    const all: ComparedWord[] = []
    for (let at = 0; at < words.length;) {
      const { length } = several.get(stems[at] ?? '')?.find(isAt(at))?.stems ?? [at]
      const [parts, own] = [words.slice(at, at + length), stems.slice(at, at + length)]
      const meanings = phrases.get(own.join(' '))?.meanings ?? []
      const stem = own.join('')
      const [word, synonyms] = [romanizeWord(parts.join('')), nearStems.get(stem) ?? []]
      all.push({ word, stem, parts, meanings, synonyms })
      at += length
    }
    return all
  }

  function forms({ parts, meanings }: ComparedWord): readonly string[] {
    const others = meanings.flatMap((meaning) => alike[meaning] ?? [])
    return [parts, ...others.map((phrase) => phrase.split(' '))].flatMap((words) =>
      inflections(words.reduce((one, other) => (other.length > one.length ? other : one), '')),
    )
  }

  const synonymForms = ({ stem }: ComparedWord) => (near.get(stem) ?? []).flatMap(inflections)

  return { wordsOf, forms, synonymForms }
}

/** The synonyms of each stem, either way. */
function byStem(synonyms: Synonyms): Synonyms {
  const found = new Map<string, string[]>()
  const add = (word: string, other: string) => {
    const stem = stemOf(word)
    const known = found.get(stem) ?? []
    if (known.length === 0) found.set(stem, known)
    known.push(other)
  }
  for (const [word, others] of synonyms) {
    for (const other of others) {
      add(word, other)
      add(other, word)
    }
  }
  return found
}

/** How sure each kind of likeness is. */
const inflected = 0.97
const alike = 0.9
const nearly = 0.85
const synonymous = 0.8

/** Shorter words begin too many others, and are near them. */
const minLength = 5

/** How surely one word means another; 0 where it does not. */
export function likenessOf(one: ComparedWord, other: ComparedWord): number {
  if (one.word === other.word) return 1
  if (one.stem === other.stem) return inflected
  if (one.meanings.some((meaning) => other.meanings.includes(meaning))) return alike
  const [short, long] = one.word.length < other.word.length ? [one, other] : [other, one]
  const mayBeTypo = one.word.startsWith(other.word.charAt(0)) && short.word.length >= minLength
  if (mayBeTypo && (long.word.startsWith(short.word) || isTypo(one.word, other.word))) return nearly
  return one.synonyms.includes(other.stem) ? synonymous : 0
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
  const stems = [stem, `${stem}e`, stem.replace(/y$/, 'ie')]
  return [...new Set([word, ...stems.flatMap((one) => endings.map((ending) => one + ending))])]
}

/** `witches`, `saying` and `picked` without their endings; `zombie` is `zomby`, as `zombies` is. Equality is all that counts. */
const stemOf = (word: string): string =>
  word
    .replace(/(?<=..)ies?$/, 'y')
    .replace(/(?<=...)(?:ing|ed|es|s)$/, '')
    .replace(/(?<=...)e$/, '')

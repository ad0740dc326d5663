/** Titles that have the words of a query: all of them, all but the small ones, or some of them with typos. */
import { minTypoLength } from './compare-titles.js'
import type { FoldedTitle } from './fold-title.js'
import { allowedEdits } from './grams.js'
import { intersect } from './intersect.js'
import type { TextsOfTitles, Titles } from './open-titles.js'
import { romanizeWord } from './romanize.js'
import { tellingWords } from './small-words.js'

export function offerWords(titles: Titles, query: FoldedTitle, enough: number): readonly number[] {
  return withAllWords(titles, query.romanized, enough)
}

/** Titles with all words but the small ones, the shortest first: few have more words than that. */
export function offerTelling(titles: Titles, query: FoldedTitle): readonly number[] {
  const telling = tellingWords(query.romanized)
  const isLong = query.words.length > maxTypoWords
  if (telling.length === 0 || isLong || isTitle(titles, query)) return []
  return withAllWords(titles, telling, enoughTelling)
}

const enoughTelling = 12

function withAllWords(titles: Titles, words: readonly string[], enough: number): readonly number[] {
  const numbers = [...new Set(words)].map((word) => titles.words.set.find(word))
  if (numbers.length === 0 || numbers.includes(-1)) return []
  return firstRows(titles, intersect(numbers.map((number) => titles.words.titles(number))), enough)
}

/** All words of the query, some of them with typos. */
export function offerTypos(titles: Titles, query: FoldedTitle, enough: number): readonly number[] {
  const words = [...new Set(query.words)]
  if (words.length > maxTypoWords) return []
  const lists = words.map((word) => titlesWithTypos(titles.words, word))
  if (words.length === 1) return firstRows(titles, lists[0] ?? [], enough)
  return firstRows(titles, intersect(lists), enough)
}

/** More words than that are a sentence. */
const maxTypoWords = 12

/** In order and without repetition. */
function titlesWithTypos(texts: TextsOfTitles, word: string): Uint32Array {
  const { set } = texts
  const numbers = new Set([set.find(romanizeWord(word))])
  if (word.length >= minTypoLength) {
    for (const number of set.near(word, allowedEdits(word.length)).keys()) numbers.add(number)
  }
  numbers.delete(-1)
  const [only, ...others] = [...numbers].map((number) => texts.titles(number))
  if (only === undefined) return new Uint32Array()
  if (others.length === 0) return only
  const all = new Uint32Array([only, ...others].reduce((sum, list) => sum + list.length, 0))
  let size = 0
  for (const list of [only, ...others]) {
    all.set(list, size)
    size += list.length
  }
  all.sort()
  return all.filter((title, place) => place === 0 || title !== all[place - 1])
}

/** One title each of the first rows of a list. */
function firstRows(titles: Titles, list: Iterable<number>, enough: number): readonly number[] {
  const rows = new Map<number, number>()
  for (const title of list) {
    const row = titles.row(title)
    if (!rows.has(row)) rows.set(row, title)
    if (rows.size === enough) break
  }
  return [...rows.values()]
}

/** Whether a title is all of the query, or that of another season. */
export function isTitle(titles: Titles, query: FoldedTitle): boolean {
  return titles.forms.set.find(query.joined) >= 0 || titles.withBase(query.base).length > 0
}

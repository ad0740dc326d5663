/** Titles that have the words of a query: all of them, all but the small ones, or some of them with typos. */
import { minTypoLength } from './compare-titles.js'
import type { FoldedTitle } from './fold-title.js'
import { allowedEdits } from '../../base/text/grams.js'
import { hasNumber, intersect, unite } from '../../base/text/ascending-lists.js'
import type { TextsOfTitles, Titles } from './open-titles.js'
import { romanizeWord } from '../../base/text/romanize.js'
import { tellingWords } from '../../base/text/small-words.js'

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
  return firstRows(titles, ofAll(titlesOfEach(titles.words, words)), enough)
}

/** Titles that are in a list of each word. */
function* ofAll([fewest = [], ...others]: readonly Lists[]): Generator<number> {
  for (const title of unite(fewest)) {
    if (others.every((lists) => lists.some((list) => hasNumber(list, title)))) yield title
  }
}

type Lists = readonly Uint32Array[]

/** More words than that are a sentence. */
const maxTypoWords = 12

/** For each word the titles of all that it may be, those with the fewest first; none where no title has one of them. */
function titlesOfEach(texts: TextsOfTitles, words: readonly string[]): readonly Lists[] {
  const found: { readonly lists: Lists; readonly length: number }[] = []
  for (const word of words) {
    const lists = formsOf(texts, word).map((number) => texts.titles(number))
    if (lists.length === 0) return []
    found.push({ lists, length: lists.reduce((sum, { length }) => sum + length, 0) })
  }
  return found.sort((one, other) => one.length - other.length).map(({ lists }) => lists)
}

/** The word as it is written, and those that it may be with typos. */
function formsOf({ set }: TextsOfTitles, word: string): readonly number[] {
  const forms = new Set([set.find(romanizeWord(word))])
  if (word.length >= minTypoLength) {
    for (const number of set.near(word, allowedEdits(word.length)).keys()) forms.add(number)
  }
  forms.delete(-1)
  return [...forms]
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

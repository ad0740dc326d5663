/**
 * Titles that a query may mean as a whole. Each source offers a few titles of its kind, which are then
 * folded and compared in full; the slower ones are asked only where the others found too few rows.
 */
import { createBestTitles, type Popularity } from './best-titles.js'
import { compareTitles, minTypoLength } from './compare-titles.js'
import { foldTitle, foldTitleWords, type FoldedTitle } from './fold-title.js'
import { allowedEdits } from './grams.js'
import { intersect } from './intersect.js'
import type { TextsOfTitles, Titles } from './open-titles.js'
import { romanizeWord } from './romanize.js'
import { tellingWords } from './small-words.js'
import { bestMatches, byQuality, byRow, bySimilarity, type TitleMatch } from './title-match.js'

export function matchTitles(
  titles: Titles,
  text: string,
  limit: number,
  popularity?: Popularity,
): TitleMatch[] {
  return matchBy(sources, titles, text, limit, popularity)
}

/** Titles that the query is, whatever its case, marks and romanisation. A lookup, so it costs little for long texts. */
export function exactTitles(
  titles: Titles,
  text: string,
  limit: number,
  popularity?: Popularity,
): TitleMatch[] {
  const matches = matchBy([[offerExact, true]], titles, text, limit, popularity)
  return matches.filter(({ quality }) => quality === 'exact')
}

function matchBy(
  sources: readonly (readonly [Source, boolean])[],
  titles: Titles,
  text: string,
  limit: number,
  popularity: Popularity | undefined,
): TitleMatch[] {
  const query = foldTitle(text)
  if (query.joined === '' || limit < 1) return []
  // Some of those that are offered turn out worse than they look.
  const enough = 2 * limit + 8
  const compared = new Set<number>()
  const rows = new Set<number>()
  const matches: TitleMatch[] = []
  for (const [source, isAlwaysAsked] of sources) {
    if (!isAlwaysAsked && rows.size >= limit) continue
    for (const title of source(titles, query, enough, popularity)) {
      if (compared.has(title)) continue
      compared.add(title)
      const match = compare(titles, title, query, text)
      if (match === undefined) continue
      matches.push(match)
      rows.add(match.row)
    }
  }
  const byPopularity = byRow(popularity)
  return bestMatches(
    matches,
    limit,
    (one, other) => byQuality(one, other) || bySimilarity(one, other) || byPopularity(one, other),
  )
}

type Source = (
  titles: Titles,
  query: FoldedTitle,
  enough: number,
  popularity: Popularity | undefined,
) => readonly number[]

/** Each with whether it is asked even if there are rows enough. */
const sources: readonly (readonly [Source, boolean])[] = [
  [offerExact, true],
  [offerNear, true],
  [offerPrefix, true],
  [offerTelling, true],
  [offerWords, false],
  [offerTypos, false],
]

/** Those of the same base, of all seasons; a base that is too common keeps those with the season. */
function offerExact(
  titles: Titles,
  query: FoldedTitle,
  enough: number,
  popularity: Popularity | undefined,
): readonly number[] {
  const numbers = [...new Set([query.joined, query.joinedBySeason])]
    .map((form) => titles.forms.set.find(form))
    .filter((number) => number >= 0)
  const ofBase = titles.withBase(query.base)
  // Most texts are no title.
  if (numbers.length === 0 && ofBase.length === 0) return []
  const whole = createBestTitles(titles, enough, popularity)
  for (const number of numbers) whole.offerAll(titles.forms.titles(number))
  const others = createBestTitles(titles, enough, popularity)
  others.offerAll(ofBase)
  return [...whole.take(), ...others.take()]
}

function offerPrefix(
  titles: Titles,
  query: FoldedTitle,
  enough: number,
  popularity: Popularity | undefined,
): readonly number[] {
  const best = createBestTitles(titles, enough, popularity)
  titles.forms.each(titles.forms.set.startingWith(query.joined), best.offer)
  return best.take()
}

function offerWords(titles: Titles, query: FoldedTitle, enough: number): readonly number[] {
  return withAllWords(titles, query.romanized, enough)
}

/** Titles with all words but the small ones, the shortest first: few have more words than that. */
function offerTelling(titles: Titles, query: FoldedTitle): readonly number[] {
  const telling = tellingWords(query.romanized)
  const isLong = query.words.length > maxTypoWords
  if (telling.length === 0 || isLong || isTitle(titles, query)) return []
  return withAllWords(titles, telling, enoughTelling)
}

const enoughTelling = 12

function withAllWords(
  titles: Titles,
  words: readonly string[],
  enough: number,
): readonly number[] {
  const numbers = [...new Set(words)].map((word) => titles.words.set.find(word))
  if (numbers.length === 0 || numbers.includes(-1)) return []
  return firstRows(titles, intersect(numbers.map((number) => titles.words.titles(number))), enough)
}

/** The whole title with typos. More edits are looked for only where fewer find nothing, nor a title is exact. */
function offerNear(titles: Titles, query: FoldedTitle, enough: number): readonly number[] {
  const { forms } = titles
  const offered = new Set(offerContained(titles, query))
  const isExact = isTitle(titles, query)
  for (const form of new Set([query.joined, query.joinedBySeason])) {
    const most = isExact ? 1 : allowedEdits(form.length)
    for (let edits = 1; edits <= most; edits += 1) {
      const near = [...forms.set.near(form, edits)].sort(([, one], [, other]) => one - other)
      for (const [number] of near.slice(0, enough)) {
        for (const title of forms.titles(number).subarray(0, enough)) offered.add(title)
      }
      if (near.length > 0) break
    }
  }
  return [...offered]
}

function isTitle({ forms, withBase }: Titles, query: FoldedTitle): boolean {
  return forms.set.find(query.joined) >= 0 || withBase(query.base).length > 0
}

/** Titles that are the larger part of the query. */
function offerContained(titles: Titles, query: FoldedTitle): readonly number[] {
  const offered: number[] = []
  for (let begin = 0; begin < query.words.length; begin += 1) {
    for (let end = query.words.length; end > begin; end -= 1) {
      const part = foldTitleWords(query.words.slice(begin, end))
      if (part.joined.length < query.joined.length / 2) break
      offered.push(...titles.withBase(part.base).subarray(0, 4))
    }
  }
  return offered
}

/** All words of the query, some of them with typos. */
function offerTypos(titles: Titles, query: FoldedTitle, enough: number): readonly number[] {
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

function compare(
  titles: Titles,
  title: number,
  query: FoldedTitle,
  text: string,
): TitleMatch | undefined {
  const original = titles.original(title)
  const likeness = compareTitles(query, foldTitle(original))
  if (likeness === undefined) return undefined
  const isOtherwisePunctuated = likeness.similarity === 1 && !isSameText(text, original)
  const similarity = isOtherwisePunctuated ? otherPunctuation : likeness.similarity
  return {
    row: titles.row(title),
    title: original,
    kind: titles.kind(title),
    ...likeness,
    similarity,
  }
}

/** "Gintama" is nearer to "Gintama" than to "Gintama'". */
const otherPunctuation = 0.999

function isSameText(one: string, other: string): boolean {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
  return fold(one) === fold(other)
}

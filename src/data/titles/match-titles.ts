/**
 * Titles that a query may mean as a whole. Each source offers a few titles of its kind, which are then
 * folded and compared in full; the slower ones run only where the others found too few rows.
 */
import { constants } from '../../base/constants/constants.js'
import { createBestTitles, type Popularity } from './best-titles.js'
import { compareTitles } from './compare-titles.js'
import { foldTitle, foldTitleWords, type FoldedTitle } from './fold-title.js'
import { allowedEdits } from '../../base/text/grams.js'
import { isTitle, offerTelling, offerTypos, offerWords } from './offer-words.js'
import type { Titles } from './open-titles.js'
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

/** Titles that the query is, but for small words. */
export function sameWordTitles(
  titles: Titles,
  text: string,
  limit: number,
  popularity?: Popularity,
): TitleMatch[] {
  const matches = matchBy([[offerTelling, true]], titles, text, limit, popularity)
  return matches.filter(({ titleCoverage }) => titleCoverage === 1)
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
  for (const [source, isAlwaysUsed] of sources) {
    if (!isAlwaysUsed && rows.size >= limit) continue
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

/** Each with whether it runs even if there are rows enough. */
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
  const similarity = isOtherwisePunctuated
    ? constants().titles.otherPunctuation
    : likeness.similarity
  return {
    row: titles.row(title),
    title: original,
    kind: titles.kind(title),
    ...likeness,
    similarity,
  }
}

function isSameText(one: string, other: string): boolean {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
  return fold(one) === fold(other)
}

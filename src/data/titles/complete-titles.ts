/**
 * Titles for a box that completes while somebody types: those that begin with what is typed, those with a
 * word that does, and, where these are few, those that would if one edit were undone.
 */
import { createBestTitles, type BestTitles, type Popularity } from './best-titles.js'
import { foldTitle, type FoldedTitle } from './fold-title.js'
import { intersect } from '../../base/text/ascending-lists.js'
import { undoneTypos } from '../../base/text/undone-typos.js'
import type { Titles } from './open-titles.js'
import { romanizeWord } from '../../base/text/romanize.js'
import {
  bestMatches,
  byQuality,
  byRow,
  bySimilarity,
  type MatchQuality,
  type TitleMatch,
} from './title-match.js'

export function completeTitles(
  titles: Titles,
  text: string,
  limit: number,
  popularity?: Popularity,
): TitleMatch[] {
  const query = foldTitle(text)
  if (query.joined === '' || limit < 1) return []
  const matches: TitleMatch[] = []
  const rows = new Set<number>()
  for (const [source, quality] of sources) {
    const best = createBestTitles(titles, 2 * limit, popularity)
    source(titles, query, best)
    for (const title of best.take()) {
      const match = describe(titles, title, query, quality)
      matches.push(match)
      rows.add(match.row)
    }
    if (rows.size >= limit) break
  }
  const byPopularity = byRow(popularity)
  const byLikeness = (one: TitleMatch, other: TitleMatch) =>
    popularity === undefined
      ? bySimilarity(one, other) || byPopularity(one, other)
      : byPopularity(one, other) || bySimilarity(one, other)
  return bestMatches(
    matches,
    limit,
    (one, other) => byQuality(one, other) || byLikeness(one, other),
  )
}

type Source = (titles: Titles, query: FoldedTitle, best: BestTitles) => void

const sources: readonly (readonly [Source, MatchQuality])[] = [
  [offerTitles, 'prefix'],
  [offerWords, 'words'],
  [offerTypos, 'fuzzy'],
]

function offerTitles({ forms }: Titles, { joined }: FoldedTitle, best: BestTitles): void {
  forms.each(forms.set.startingWith(joined), best.offer)
}

function offerWords(titles: Titles, { words }: FoldedTitle, best: BestTitles): void {
  const last = words.at(-1) ?? ''
  offerBeginnings(titles, words.slice(0, -1), new Set([last, romanizeWord(last)]), best)
}

/** Titles that have all the words, and one that begins with one of the beginnings. */
function offerBeginnings(
  titles: Titles,
  words: readonly string[],
  beginnings: Iterable<string>,
  best: BestTitles,
): void {
  const { set } = titles.words
  const numbers = words.map((word) => set.find(romanizeWord(word)))
  if (numbers.includes(-1)) return
  const having = numbers.map((number) => titles.words.titles(number))
  // The shared part is found once; the lists of the last word are many and short.
  const shared = having.length === 0 ? undefined : Uint32Array.from(intersect(having))
  for (const beginning of beginnings) {
    const beginningWords = set.startingWith(beginning)
    if (shared === undefined) titles.words.each(beginningWords, best.offer)
    else {
      for (const number of beginningWords) {
        best.offerAll(intersect([shared, titles.words.titles(number)]))
      }
    }
  }
}

/** The typo is in the title's beginning, or in the last word. */
function offerTypos(titles: Titles, { joined, words }: FoldedTitle, best: BestTitles): void {
  const { forms } = titles
  for (const beginning of undoneTypos(forms.set, joined)) {
    forms.each(forms.set.startingWith(beginning), best.offer)
  }
  const last = words.at(-1) ?? ''
  offerBeginnings(titles, words.slice(0, -1), undoneTypos(titles.words.set, last), best)
}

function describe(
  titles: Titles,
  title: number,
  query: FoldedTitle,
  quality: MatchQuality,
): TitleMatch {
  const original = titles.original(title)
  const folded = foldTitle(original)
  const isExact = quality === 'prefix' && folded.joined === query.joined
  const lengthOf = ({ romanized }: FoldedTitle) => romanized.join('').length
  const titleCoverage = Math.min(1, lengthOf(query) / lengthOf(folded))
  const queryCoverage = quality === 'fuzzy' ? 1 - 1 / query.joined.length : 1
  return {
    row: titles.row(title),
    title: original,
    kind: titles.kind(title),
    quality: isExact ? 'exact' : quality,
    queryCoverage,
    titleCoverage,
    similarity: (2 * queryCoverage * titleCoverage) / (queryCoverage + titleCoverage),
  }
}

/**
 * Titles named inside a query, as in "like X" or "X but darker". A span of whole words is one if it is a title in any
 * spelling. Longer spans come first.
 */
import { agree, foldTitleWords, maxCharacters, maxWords } from './fold-title.js'
import { foldWords, type FoldedWord } from '../text/fold-words.js'
import type { Titles } from './open-titles.js'
import { titleKinds } from './title.js'

export interface Mention {
  /** The span in the query as given, in UTF-16 units. */
  readonly begin: number
  readonly end: number
  /** One title of each row, main titles before others. */
  readonly titles: readonly MentionedTitle[]
}

export interface MentionedTitle {
  readonly row: number
  readonly title: string
}

/** Spans do not overlap; they are in the order of the query. */
export function findMentions(titles: Titles, query: string): Mention[] {
  const words = foldWords(query.slice(0, maxCharacters), maxWords)
  const found: Span[] = []
  for (let from = 0; from < words.length; from += 1) {
    const last = Math.min(words.length, from + maxSpanWords)
    for (let to = from + 1; to <= last; to += 1) {
      const span = findSpan(titles, words, from, to)
      if (span !== undefined) found.push(span)
    }
  }
  const taken = new Set<number>()
  return found
    .sort((one, other) => other.length - one.length || one.from - other.from)
    .filter(({ from, to }) => {
      const places = Array.from({ length: to - from }, (_, place) => from + place)
      if (places.some((place) => taken.has(place))) return false
      for (const place of places) taken.add(place)
      return true
    })
    .sort((one, other) => one.from - other.from)
    .map((span) => describe(titles, words, span))
}

/** The longest titles have more words, but nobody writes them out inside a sentence. */
const maxSpanWords = 24
const maxTitlesOfMention = 16

interface Span {
  readonly from: number
  readonly to: number
  /** In characters. */
  readonly length: number
  readonly found: readonly number[]
}

function findSpan(
  titles: Titles,
  words: readonly FoldedWord[],
  from: number,
  to: number,
): Span | undefined {
  const span = foldTitleWords(words.slice(from, to).map(({ word }) => word))
  const found = titles
    .withBase(span.base)
    .filter((title) => agree(span.season, titles.season(title)))
  return found.length === 0
    ? undefined
    : { from, to, length: span.joined.length, found: [...found] }
}

function describe(
  titles: Titles,
  words: readonly FoldedWord[],
  { from, to, found }: Span,
): Mention {
  const sorted = found.toSorted(
    (one, other) =>
      titleKinds.indexOf(titles.kind(one)) - titleKinds.indexOf(titles.kind(other)) ||
      titles.row(one) - titles.row(other),
  )
  const rows = new Map<number, MentionedTitle>()
  for (const title of sorted) {
    if (rows.size === maxTitlesOfMention) break
    const row = titles.row(title)
    if (!rows.has(row)) rows.set(row, { row, title: titles.original(title) })
  }
  return {
    begin: words[from]?.begin ?? 0,
    end: words[to - 1]?.end ?? 0,
    titles: [...rows.values()],
  }
}

/**
 * Titles named inside a query, as in "like X" or "X but darker". A span of whole words is one if it is a
 * title in any spelling, or a title of five characters or more with one typo. Longer spans come first.
 */
import { agree, foldTitle, foldTitleWords, maxCharacters, maxWords } from './fold-title.js'
import { foldWords, type FoldedWord } from './fold-words.js'
import type { Titles } from './open-titles.js'
import { titleKinds, type TitleKind } from './title.js'

export interface Mention {
  /** The span in the query as given, in UTF-16 units. */
  readonly begin: number
  readonly end: number
  /** Edits between the span and the title: 0 or 1. */
  readonly typos: number
  /** 0 for words of everyday prose, as "Another"; 1 for words that mean nothing but the title. */
  readonly rarity: number
  /** One title of each row, main titles before others. */
  readonly titles: readonly MentionedTitle[]
}

export interface MentionedTitle {
  readonly row: number
  readonly title: string
  readonly kind: TitleKind
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
    .sort((one, other) => other.weight - one.weight || one.from - other.from)
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
/** A title with a typo: each span costs a search by edits. */
const maxTypoSpanWords = 8
/** A longer query is a description, in which typos are too many to look for. */
const maxTypoQueryWords = 24
const minTypoCharacters = 5
/** What a typo costs a span against others that overlap it, in characters. */
const typoCost = 3
const maxTitlesOfMention = 16

interface Span {
  readonly from: number
  readonly to: number
  readonly typos: number
  readonly weight: number
  readonly found: readonly number[]
}

function findSpan(
  titles: Titles,
  words: readonly FoldedWord[],
  from: number,
  to: number,
): Span | undefined {
  const span = foldTitleWords(words.slice(from, to).map(({ word }) => word))
  const weight = span.joined.length
  const exact = titles
    .withBase(span.base)
    .filter((title) => agree(span.season, titles.season(title)))
  if (exact.length > 0) return { from, to, typos: 0, weight, found: [...exact] }
  const mayHaveTypo =
    to - from <= maxTypoSpanWords &&
    words.length <= maxTypoQueryWords &&
    weight >= minTypoCharacters
  if (!mayHaveTypo) return undefined
  const found = [...titles.forms.set.near(span.joined, 1).keys()]
    .filter((form) => titles.forms.set.lengthOf(form) >= minTypoCharacters)
    .flatMap((form) => [...titles.forms.titles(form)])
    // Another number is another season and no typo.
    .filter((title) => agree(span.season, titles.season(title)))
  return found.length === 0 ? undefined : { from, to, typos: 1, weight: weight - typoCost, found }
}

function describe(
  titles: Titles,
  words: readonly FoldedWord[],
  { from, to, typos, found }: Span,
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
    const described = { row, title: titles.original(title), kind: titles.kind(title) }
    if (!rows.has(row)) rows.set(row, described)
  }
  const named = [...rows.values()]
  const spanWords = words.slice(from, to).map(({ word }) => word)
  return {
    begin: words[from]?.begin ?? 0,
    end: words[to - 1]?.end ?? 0,
    typos,
    rarity: rarityOf(titles, spanWords, typos, named[0]?.title ?? ''),
    titles: named,
  }
}

/** Bits from which on words are as rare as a name. */
const rareBits = 12

/** With a typo, the title's own words count too; words that no title has say nothing. */
function rarityOf(titles: Titles, span: readonly string[], typos: number, title: string): number {
  const given = bitsOf(titles, span)
  if (typos === 0) return Math.min(1, (given ?? rareBits) / rareBits)
  const meant = bitsOf(titles, foldTitle(title).words) ?? rareBits
  return Math.min(1, Math.min(given ?? meant, meant) / rareBits)
}

/** The words' bits add up: "School Days" is rarer than either word. */
function bitsOf(titles: Titles, words: readonly string[]): number | undefined {
  let sum = 0
  for (const word of words) {
    const bits = titles.rarity(word)
    if (bits === undefined) return undefined
    sum += bits
  }
  return sum
}

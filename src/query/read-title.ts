/** The title that a query is as a whole. */
import type { Reading, Span, TitleLookup, TitleMatch, TitleMention } from './interpretation.js'
import { endOfRun } from './phrase-run.js'
import type { PhraseTable } from './phrase-table.js'
import type { QueryWord } from './query-words.js'

export type TitleReading = Reading & { readonly kind: 'title' }

export const minTitleSimilarity = 0.8
/** A rare word of a long title names it, as "frieren" does; it is less sure than the whole title. */
export const partOfTitle = 0.86
/** From here on the whole query is a title with a typo or two. */
export const nearTitle = 0.9
/** From here on it is the title in another spelling, whatever words it has. */
export const sameTitle = 0.985

/** No wish of three words ends so: `the melancholy of` is half of a title. */
const halfTyped = /\S\s+\S+\s+(?:of|the|a|an|no|not|wa|wo|ga)\s*$/i
/** How sure that is. */
const begunTitle = 0.92

/** What has a typo, or is a part of a title, is nearer than what has a wrong word. */
export function readTitle(
  query: string,
  match: TitleLookup['match'],
  { misremembered }: Pick<TitleLookup, 'misremembered'>,
): TitleReading | undefined {
  const span = { begin: 0, end: query.length }
  // So few letters are no typo: who is `fat` is no Fate.
  const isShort = query.trim().length < minWordLength
  const title = bestTitle(
    match(query).filter(({ similarity }) => !isShort || similarity >= sameTitle),
    span,
  )
  if (title?.confidence === partOfTitle && halfTyped.test(query)) {
    return { ...title, confidence: begunTitle }
  }
  const isNear = title !== undefined && title.confidence >= partOfTitle
  return isNear ? title : (bestTitle(misremembered?.(query) ?? [], span) ?? title)
}

/** The titles that are the nearest, if they are near enough. */
export function bestTitle(matches: readonly TitleMatch[], span: Span): TitleReading | undefined {
  const [best, ...others] = matches
  if (best === undefined || best.similarity < minTitleSimilarity) return undefined
  const { title: label, similarity: confidence } = best
  const same = others.filter(({ similarity }) => similarity === confidence)
  const rows = [...new Set([best, ...same].map(({ row }) => row))]
  return { kind: 'title', ...span, label, confidence, excluded: false, rows }
}

/** A work of that name, of whatever kind the words around it say. */
export const named = 0.98

/** Two words of a title may have one between them: `wolf and spice`. */
const maxDistance = 2
/** Shorter words are in too many titles. */
const minWordLength = 4

/** How sure two words name a work where the query says nothing else: `the one with the moving castle`. */
const nothingElse = 0.8

export interface RareWords {
  /** Whether a word may name a title by itself. */
  readonly isLeft: (position: number) => boolean
  /** Whether a word may do so beside another, whatever else it is read as. */
  readonly isContent: (position: number) => boolean
  /** Two words that are read as one are no title: `high school`. */
  readonly readings: readonly Span[]
  /** How many words the query has beside filler. */
  readonly telling: number
}

/** Titles of which a rare word is part, or two words that stand together: `a boy who turns into a chainsaw`, `the moving castle`. */
export function readRareWords(
  words: readonly QueryWord[],
  { isLeft, isContent, readings, telling }: RareWords,
  { withWords }: TitleLookup,
): readonly TitleReading[] {
  if (withWords === undefined) return []
  const readingOf =
    ({ begin, end }: Span, count: number) =>
    ({ row, title, similarity }: TitleMatch): TitleReading => {
      const share = count / Math.max(count, telling)
      const confidence = count > 1 && share === 1 ? Math.max(similarity, nothingElse) : similarity
      const reading = { label: title, confidence, excluded: false, rows: [row] }
      return { kind: 'title', begin, end, ...reading, share }
    }
  const isLong = (word: QueryWord | undefined) => (word?.stem.length ?? 0) >= minWordLength
  const content = [...words.keys()].filter((at) => isContent(at) && isLong(words[at]))
  const pairs = content.flatMap((at, i) => {
    const next = content[i + 1] ?? Infinity
    const [word, other] = [words[at], words[next]]
    // Of `a girl who has no friends`, the girl and the friends do not stand together.
    if (word === undefined || other === undefined || next - at > maxDistance) return []
    const span = { begin: word.begin, end: other.end }
    if (readings.some((reading) => isInside(span, reading))) return []
    return withWords([word.folded, other.folded]).map(readingOf(span, 2))
  })
  const shareOf = (spans: readonly Span[]) => {
    const isCovered = (word: QueryWord) => spans.some((span) => isInside(word, span))
    const covered = content.filter((at) => words.slice(at, at + 1).some(isCovered)).length
    return covered / Math.max(covered, telling)
  }
  if (pairs.length > 0) return pairs.map((pair) => agreeing(pair, pairs, shareOf))
  return words.flatMap((word, position) => {
    const { folded, stem } = word
    if (!isLong(word) || !isLeft(position)) return []
    const exact = withWords([folded])
    const found = exact.length > 0 || stem === folded ? exact : withWords([stem])
    return found.map(readingOf(word, 1))
  })
}

/** Of the words that tell something, parts of one title have so many where nothing else is meant. */
const mostWords = 0.7

/** Parts of one title that are most of a query are surer than each: `teen romance` and `romance is wrong`. */
function agreeing(
  part: TitleReading,
  parts: readonly TitleReading[],
  shareOf: (spans: readonly Span[]) => number,
): TitleReading {
  const same = parts.filter(({ rows }) => rows[0] === part.rows[0])
  const share = shareOf(same)
  if (same.length < 2 || share < mostWords) return part
  const unsure = same.reduce((product, { confidence }) => product * (1 - confidence), 1)
  return { ...part, confidence: 1 - unsure, share }
}

const isInside = (inner: Span, { begin, end }: Span): boolean =>
  begin <= inner.begin && inner.end <= end

/**
 * Adds the titles. A title of which some word is not read otherwise takes its words from topics: `moving` of
 * `the moving castle` is no mood.
 */
export function withNamed(
  readings: readonly Reading[],
  named: readonly TitleReading[],
  words: readonly QueryWord[],
  isUnread: (position: number) => boolean,
): readonly Reading[] {
  const told = named.filter((title) =>
    words.some((word, position) => isUnread(position) && isInside(word, title)),
  )
  const isName = (reading: Reading) =>
    reading.kind === 'topic' && told.some((title) => isInside(reading, title))
  return [...readings.filter((reading) => !isName(reading)), ...named]
}

/**
 * The title that is left of a query without the words around it: `berserk manga`, `naruto watch order`; `slime anime`
 * is words of some.
 */
export function readNamed(
  query: string,
  words: readonly QueryWord[],
  { exact, match }: TitleLookup,
  around: PhraseTable<true>,
  isSubject: (begin: number, end: number) => boolean,
): TitleReading | undefined {
  const [begin, end] = withoutAround(words, around)
  const [first, last] = [words[begin], words[end - 1]]
  if (first === undefined || last === undefined || end - begin === words.length) return undefined
  const span = { begin: first.begin, end: last.end }
  const text = query.slice(span.begin, span.end)
  const same = bestTitle(exact(text), span)
  if (same !== undefined) return { ...same, confidence: named }
  const near = bestTitle(match(text), span)
  // But `demon slayer movie` names the title that is all before a subtitle.
  return isSubject(begin, end) && (near?.confidence ?? 0) < sameTitle ? undefined : near
}

/** The words from the first to the last that say more than what a title is, [begin, end). */
export function withoutAround(
  words: readonly QueryWord[],
  around: PhraseTable<true>,
): readonly [begin: number, end: number] {
  const lengthAt = (position: number) => around.longestAt(words, position)?.length ?? 0
  const begin = endOfRun(0, words.length, lengthAt)
  let end = begin
  for (let position = begin; position < words.length;) {
    const length = lengthAt(position)
    position += Math.max(1, length)
    if (length === 0) end = position
  }
  // `the tatami one`
  const isOne = begin > 0 && end - begin > 1 && words[end - 1]?.folded === 'one'
  return [begin, isOne ? end - 1 : end]
}

/** A title inside a query may be chance: "the quiet girl" of a story is. */
const mentioned = 0.6

const mentionReading = ({ begin, end, title, rows }: TitleMention): Reading => ({
  kind: 'title',
  begin,
  end,
  label: title,
  confidence: mentioned,
  excluded: false,
  rows,
})

/** The titles inside a query; `place to place` of `from place to place` is a part of another phrase. */
export const mentionedTitles = (
  query: string,
  words: readonly QueryWord[],
  { mentions }: Pick<TitleLookup, 'mentions'>,
  facts: PhraseTable<unknown>,
): readonly Reading[] =>
  mentions(query)
    .filter(
      (title) =>
        !words.some((word, position) => {
          const last = words[position + (facts.longestAt(words, position)?.length ?? 0) - 1]
          return word.begin < title.begin && last !== undefined && title.end <= last.end
        }),
    )
    .map(mentionReading)

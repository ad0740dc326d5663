/**
 * Spans of a text that may name titles: all that are possible, overlapping, with how each one matches. What is chosen
 * among them is decided by the reader of queries.
 */
import { romanizeWord } from '../../base/text/romanize.js'
import { allowedEdits } from '../../base/text/grams.js'
import { type Popularity, createBestTitles } from './best-titles.js'
import { agree, foldTitle, foldTitleWords, namesSeason } from './fold-title.js'
import { type Titles, usualBits } from './open-titles.js'
import { remember } from '../../base/text/remember.js'
import { isTellingWord } from '../../base/text/small-words.js'

/** Words of a text, folded; a title does not go on behind the end of a sentence. */
export interface SpanWord {
  readonly folded: string
  readonly endsSentence: boolean
  /** Whether it is likely a name: a capital letter, or a word that is in no dictionary. */
  readonly isName: boolean
}

/**
 * exact: the same title in any spelling. head: the title begins with the words. near: the title, with typos. part: one
 * rare word of the title.
 */
const spanMatches = ['exact', 'head', 'near', 'part'] as const
type SpanMatch = (typeof spanMatches)[number]

export interface TitleSpan {
  /** Positions of words: [from, to). */
  readonly from: number
  readonly to: number
  readonly match: SpanMatch
  /** 0 to 1: 1 less the share of letters that differ. */
  readonly similarity: number
  /** The titles, best first. */
  readonly titles: readonly number[]
  /** Rarity in prose of all words together, in bits. */
  readonly bits: number
}

/** Titles with more words are rarely written out inside a sentence. */
const maxSpanWords = 16
/** So many words are looked up though no title begins with their letters: titles are romanized in other ways. */
const alwaysTried = 2
/** Words behind a title that may give its season. */
const maxSeasonWords = 3
const maxTitles = 16
/** A beginning that more titles have names none of them. */
const maxBegun = 400
/** So many of them are compared, the best known ones. */
const maxHeads = 8
const minHeadLetters = 3
/** Bits of a word that is rare enough to name a title in whose middle it is. */
const minPartBits = 8.5
const maxPartTitles = 60
const minPartLetters = 4
/** Searches with typos cost most; so many of them are made for one text. */
const maxNear = 6
const minNearLetters = 5
const maxNearWords = 4

export function findSpans(
  titles: Titles,
  words: readonly SpanWord[],
  popularity?: Popularity,
): TitleSpan[] {
  const spans: TitleSpan[] = []
  const headsAt = headsOf(titles, popularity)
  const romanized = words.map(({ folded }) => romanizeWord(folded))
  const bits = romanized.map((word) => titles.rarity(word) ?? usualBits)
  const bitsOf = (from: number, to: number) => {
    let sum = 0
    for (let at = from; at < to; at += 1) sum += bits[at] ?? 0
    return sum
  }
  const add = (
    from: number,
    to: number,
    match: SpanMatch,
    found: readonly number[],
    similarity = 1,
  ) => {
    if (found.length > 0)
      spans.push({ from, to, match, similarity, titles: found, bits: bitsOf(from, to) })
  }
  const foldedIn = (from: number, to: number) => words.slice(from, to).map(({ folded }) => folded)
  const isExact = new Uint8Array(words.length)
  for (let from = 0; from < words.length; from += 1) {
    const last = endOfSentence(words, from)
    let [joined, base] = ['', '']
    for (let to = from + 1; to <= last; to += 1) {
      joined += words[to - 1]?.folded ?? ''
      base += romanized[to - 1] ?? ''
      const ofBase = titles.withBase(base)
      if (ofBase.length > 0) {
        const found = ofSameSeason(titles, ofBase, foldedIn(from, to))
        add(from, to, 'exact', found)
        if (found.length > 0) isExact.fill(1, from, to)
        addSeasons(from, to, last)
      }
      const isBegun = to === from + 1 ? titles.opens(joined) : titles.forms.set.hasBeginning(joined)
      if (!isBegun) {
        if (to - from >= alwaysTried) break
        continue
      }
      if (isTellingSpan(from, to)) add(from, to, 'head', headsAt(foldedIn(from, to).join(' ')))
    }
    addPart(from)
  }
  addNear()
  return spans

  function addSeasons(from: number, to: number, last: number) {
    for (let end = to + 1; end <= Math.min(last, to + maxSeasonWords); end += 1) {
      const folded = foldTitleWords(foldedIn(from, end))
      if (!namesSeason(folded.season)) continue
      const found = ofSameSeason(titles, titles.withBase(folded.base), foldedIn(from, end))
      add(from, end, 'exact', found)
      if (found.length > 0) isExact.fill(1, from, end)
    }
  }

  /** `the` and `my` begin too much. */
  function isTellingSpan(from: number, to: number): boolean {
    if (!isTellingWord(words[to - 1]?.folded ?? '')) return false
    let letters = 0
    for (let at = from; at < to; at += 1) letters += words[at]?.folded.length ?? 0
    return (
      letters >= minHeadLetters && (bitsOf(from, to) >= minPartBits || words[from]?.isName === true)
    )
  }

  function addPart(at: number) {
    const word = romanized[at] ?? ''
    if (word.length < minPartLetters || (bits[at] ?? 0) < minPartBits) return
    const number = titles.words.set.find(word)
    if (number < 0) return
    const found = titles.words.titles(number)
    if (found.length <= maxPartTitles) add(at, at + 1, 'part', [...found])
  }

  /** Around names that are no title as they are. */
  function addNear() {
    let searches = 0
    for (let at = 0; at < words.length && searches < maxNear; at += 1) {
      if (!words[at]?.isName || isExact[at] === 1) continue
      const [begin, end] = nameAround(at)
      for (const [from, to] of windows(begin, end)) {
        if (searches >= maxNear) break
        const joined = foldedIn(from, to).join('')
        if (joined.length < minNearLetters) continue
        searches += 1
        const edits = allowedEdits(joined.length)
        const near = [...titles.forms.set.near(joined, edits)].sort(
          ([, one], [, other]) => one - other,
        )
        const best = near[0]?.[1] ?? 0
        const same = near.filter(([, distance]) => distance === best && distance > 0)
        const found = same.flatMap(([number]) => [...titles.forms.titles(number)])
        add(from, to, 'near', found.slice(0, maxTitles), 1 - best / joined.length)
        if (found.length > 0) break
      }
      at = end - 1
    }
  }

  /** The run of names around a word, with small words between them. */
  function nameAround(at: number): readonly [number, number] {
    let end = at + 1
    while (end < words.length && !words[end - 1]?.endsSentence && end - at < maxNearWords) {
      const isSmall = !isTellingWord(words[end]?.folded ?? '') && words[end + 1]?.isName === true
      if (!words[end]?.isName && !isSmall) break
      end += 1
    }
    return [at, end]
  }

  /** The whole run first, then with a word more on either side. */
  function windows(begin: number, end: number): readonly (readonly [number, number])[] {
    const found: (readonly [number, number])[] = [[begin, end]]
    if (begin > 0 && !words[begin - 1]?.endsSentence) found.push([begin - 1, end])
    if (end < words.length && !words[end - 1]?.endsSentence) found.push([begin, end + 1])
    return found
  }
}

function endOfSentence(words: readonly SpanWord[], from: number): number {
  const last = Math.min(words.length, from + maxSpanWords)
  for (let to = from + 1; to < last; to += 1) if (words[to - 1]?.endsSentence) return to
  return last
}

function ofSameSeason(
  titles: Titles,
  ofBase: Uint32Array,
  words: readonly string[],
): readonly number[] {
  const { season } = foldTitleWords(words)
  return [...ofBase.filter((title) => agree(season, titles.season(title))).subarray(0, maxTitles)]
}

/** Beginnings of titles that were looked for lately. */
const maxRemembered = 10_000
type Heads = (words: string) => readonly number[]
const heads = new WeakMap<
  Titles,
  { readonly popularity: Popularity | undefined; readonly of: Heads }
>()

function headsOf(titles: Titles, popularity: Popularity | undefined): Heads {
  let known = heads.get(titles)
  if (known === undefined || known.popularity !== popularity) {
    const of = remember(maxRemembered, (words) => headTitles(titles, words.split(' '), popularity))
    heads.set(titles, (known = { popularity, of }))
  }
  return known.of
}

/** Titles that begin with the words and go on with another word, the best known first. */
function headTitles(
  titles: Titles,
  words: readonly string[],
  popularity: Popularity | undefined,
): readonly number[] {
  const forms = titles.forms.set.startingWith(words.join(''))
  if (forms.length > maxBegun) return []
  const best = createBestTitles(titles, maxHeads, popularity)
  titles.forms.each(forms, best.offer)
  return best.take().filter((title) => {
    const all = foldTitle(titles.original(title)).words
    return all.length > words.length && words.every((word, at) => word === all[at])
  })
}

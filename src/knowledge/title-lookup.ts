/** Titles as the interpretation of queries asks for them. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import { createCharacterLookup } from './character-lookup.js'
import { likelyMisremembered } from './misremembered-titles.js'
import {
  createKnownNames,
  knownByWord,
  knownByWords,
  minKnownNameLength,
  wellKnown,
} from './known-names.js'
import { createPartsOfSeries } from './parts-of-series.js'
import {
  beginsWith,
  foldText,
  isHeadOf,
  isSeveralWords,
  wordCount,
  yearAfter,
} from './title-words.js'
import { minTitleSimilarity, nearTitle, partOfTitle, sameTitle } from '../query/read-title.js'
import type { TitleLookup, TitleMatch, TitleMention } from '../query/interpretation.js'
import type { TitleIndex } from '../titles/title-index.js'

/** Enough for all entries of a large franchise. */
const maxMatches = 60
/** A part of a title names it where the part is at least so long and all of it is in the title. */
const minNameLength = 5
/** `Demon Slayer` of `Demon Slayer: Kimetsu no Yaiba` is as good as the whole. */
const headSimilarity = 0.99

/** `my hero` of a well-known work is surer than its words. */
const halfSimilarity = 0.92
const isHalf = (text: string): boolean => text.length >= minNameLength && wordCount(text) > 1

const minPartWithTypo = 7
/** Where words that no title has are read as words of titles, the titles are at most so sure. */
const corrected = 0.96

/** What a title counts of a work that was made in another year than the one that is typed after it. */
const otherYearShare = 0.95

const maxWithWord = 2
/** One work may have a misspelt word. */
const leastWithWord = 2
/** A word that more of the works have, in titles or texts, names none. */
const rareShare = 1 / 60
/** How sure a rare word names a work, and what it adds that it is the whole title of a famous one. */
const namedByWord = 0.5
const wholeTitle = 0.4
const famous = 5

/** `KonoSuba 2` and `K-On! the movie` say which of a series they are. */
const saysSeason =
  /\d|\b(?:season|part|final|movie|film|ova|special|second|third|ii|iii|iv|kai|zoku)\b/i

/** @param rowsWith works that have a word in a title or a text, up to so many; none for what is no word */
export function createTitleLookup(
  index: TitleIndex,
  popularity: Float32Array | undefined,
  facts: Pick<DatasetFacts, 'isMain' | 'franchises' | 'types' | 'years' | 'places'> &
    Partial<Pick<DatasetFacts, 'characters'>>,
  rowsWith?: (word: string, most: number) => readonly number[],
): TitleLookup {
  const { isMain, franchises } = facts
  const parts = createPartsOfSeries(facts, popularity, index)
  const hasWord = (word: string, least: number) => (rowsWith?.(word, least).length ?? 0) >= least
  const most = Math.ceil(franchises.length * rareShare)
  const isRare = (word: string, share = 1) => {
    const count = rowsWith?.(word, most + 1).length ?? 1
    return count > 0 && count <= most * share
  }
  const mains = new Map<number, number>()
  franchises.forEach((franchise, row) => {
    if (franchise >= 0 && isMain[row] === 1) mains.set(franchise, row)
  })
  const match = (text: string) => {
    const near = ofYear(withMain(nearest(text), text), text)
    const { row = -1, similarity = 0 } = near[0] ?? {}
    const year = yearAfter(text)
    // Innocence is the second film, and no second season.
    const isFilm = /\bseason\b/i.test(text) && !parts.isSeason(row)
    const isAnother = isFilm || (year > 0 && (facts.years[row] ?? year) !== year)
    if (similarity >= sameTitle && !isAnother) return near
    const matches = similarity > corrected ? near : withCorrected(near, text)
    return withPart(matches, text, isAnother ? 0 : (matches[0]?.similarity ?? 0))
  }
  /** `hunter x hunter 1999`: works of that name of other years come later. */
  const ofYear = (found: readonly TitleMatch[], text: string): readonly TitleMatch[] => {
    const year = yearAfter(text)
    const isThere = year > 0 && found.some(({ row }) => facts.years[row] === year)
    if (!isThere) return found
    return found
      .map((match) => {
        const share = facts.years[match.row] === year ? 1 : otherYearShare
        return { ...match, similarity: match.similarity * share }
      })
      .toSorted(inOrder)
  }
  /** `kaguya sama season 2`, `aot final season`, `gits 2045`: a part of a series, which no title says in these words. */
  const withPart = (
    found: readonly TitleMatch[],
    text: string,
    least: number,
  ): readonly TitleMatch[] => {
    const meant = parts.match(text, spelt, (name) => withMain(nearest(name), name))
    const [best] = meant
    if (best === undefined || best.similarity <= least) return found
    const rows = new Set(meant.map(({ row }) => row))
    return [...meant, ...found.filter(({ row }) => !rows.has(row))]
  }
  /** `demon slyer` is `demon slayer`, which is all before a subtitle. */
  const withCorrected = (found: readonly TitleMatch[], text: string): readonly TitleMatch[] => {
    const right = index.correct(text, (word) => hasWord(word, 1), popularity)
    if (right === undefined) return found
    // One short word that is a part of a title is too near to others: `sasuke` is no `basuke`.
    const least = wordCount(text) > 1 || text.length >= minPartWithTypo ? partOfTitle : sameTitle
    const isSure = ({ row, similarity }: TitleMatch) =>
      similarity >= least && (popularity?.[row] ?? NaN) >= knownByWord
    const meant = withMain(nearest(right), right).filter(isSure)
    const rows = new Set(meant.map(({ row }) => row))
    // One word of several is surer beside another; what is nearer stays nearer.
    const atMost = (similarity: number) =>
      wordCount(text) > 1 || similarity >= sameTitle
        ? corrected - (1 - similarity) / 10
        : partOfTitle
    return [
      ...meant.map(({ similarity, ...one }) => ({
        ...one,
        similarity: Math.min(similarity, atMost(similarity)),
      })),
      ...found.filter(({ row }) => !rows.has(row)),
    ].toSorted(inOrder)
  }
  const nearest = (text: string) =>
    index
      .match(text, maxMatches, popularity)
      .map(({ row, title, quality, similarity, queryCoverage }): TitleMatch => {
        const isNamed = quality === 'prefix' || quality === 'words'
        const isKnown = quality === 'prefix' && (popularity?.[row] ?? NaN) >= wellKnown
        const isLong = text.length >= (isKnown ? minKnownNameLength : minNameLength)
        const named = isNamed && queryCoverage === 1 && isLong ? partOfTitle : 0
        const begins = quality === 'prefix' && isMain[row] === 1
        const head = begins && isHeadOf(text, title) ? headSimilarity : 0
        const half = begins && isKnown && isHalf(text) ? halfSimilarity : 0
        return { row, title, similarity: Math.max(similarity, named, head, half) }
      })
      .toSorted(inOrder)
  /** Who types the name of a series without its season means the work that stands for it. */
  const withMain = (matches: readonly TitleMatch[], text: string): readonly TitleMatch[] => {
    const [best] = matches
    const main = best && mains.get(franchises[best.row] ?? -1)
    const isSeason =
      best !== undefined &&
      best.similarity >= minTitleSimilarity &&
      saysSeason.test(best.title) &&
      !saysSeason.test(text) &&
      wordCount(text) < wordCount(best.title) &&
      // `demon slayer mugen train` and `heavens feel` name films by words of their own.
      parts.isSeason(best.row) &&
      (best.similarity !== partOfTitle || foldText(best.title).startsWith(foldText(text)))
    if (!isSeason || main === undefined || main === best.row) return matches
    const title = matches.find(({ row }) => row === main)?.title ?? text
    const others = matches.filter(({ row }) => row !== main)
    return [{ row: main, title, similarity: best.similarity }, ...others]
  }
  const exact = (text: string) =>
    index
      .exact(text, maxMatches, popularity)
      .map(({ row, title, similarity }): TitleMatch => ({ row, title, similarity }))
      .toSorted(inOrder)
  /** `ghost in shell` of `ghost in shell sac`, too. */
  const spelt = (text: string): readonly TitleMatch[] => {
    const same = exact(text)
    return same.length > 0 ? same : index.sameWords(text, maxMatches, popularity).toSorted(inOrder)
  }
  // Among titles that are as near, the one that stands for its franchise comes first; of those that only have the
  // words, the best known.
  const rank = ({ row }: { readonly row: number }) => -(isMain[row] ?? 0)
  const fame = ({ row, similarity }: TitleMatch) =>
    similarity === partOfTitle ? (popularity?.[row] ?? 0) || 0 : 0
  const inOrder = (one: TitleMatch, other: TitleMatch) =>
    other.similarity - one.similarity || rank(one) - rank(other) || fame(other) - fame(one)
  const mentions = (text: string) =>
    index
      .mentions(text)
      .filter(({ begin, end }) => isSeveralWords(text.slice(begin, end)))
      .map(({ begin, end, titles: [first, ...others] }): TitleMention => {
        const rows = [first, ...others].flatMap((title) => (title ? [title.row] : []))
        rows.sort((one, other) => (isMain[other] ?? 0) - (isMain[one] ?? 0))
        return { begin, end, title: first?.title ?? '', rows: [...new Set(rows)].slice(0, 1) }
      })
  const withWords = (words: readonly string[]) => {
    const [word = '', ...others] = words
    if (others.length === 0 && !isRare(word)) return []
    const least = others.length === 0 ? knownByWord : knownByWords
    return index
      .withWords(words, popularity)
      .filter(({ row }) => isMain[row] === 1 && (popularity?.[row] ?? NaN) >= least)
      .slice(0, maxWithWord)
      .map(({ row, title, share }): TitleMatch => {
        const fame = Math.min(1, (popularity?.[row] ?? 0) / famous)
        return { row, title, similarity: namedByWord + wholeTitle * share * fame }
      })
  }
  const { known, sure } = createKnownNames({
    ...{ index, match, exact, withWords, isRare, isMain, popularity },
  })
  const heads = (text: string) =>
    nearest(text).filter(
      ({ row, title, similarity }) =>
        similarity >= partOfTitle &&
        isMain[row] === 1 &&
        (popularity?.[row] ?? NaN) >= knownByWords &&
        beginsWith(title, text),
    )
  const isWord = (word: string) => hasWord(word, leastWithWord)
  const misremembered = (text: string) =>
    likelyMisremembered(index.misremembered(text), (row) => franchises[row] ?? -1).toSorted(inOrder)
  const titled = (words: readonly string[]) => index.titled(words)
  const named = createCharacterLookup(
    facts.characters ?? new Map(),
    facts,
    popularity,
    (word) => rowsWith?.(word, most + 1) ?? [],
  )
  return {
    ...{ match, misremembered, exact, known, sure, heads, mentions, isWord, titled, withWords },
    ...named,
    newestOf: (row) => parts.newestOf(row),
  }
}

/** Who types so many words types a title only as it is written. */
const maxTypoLength = 80

export function wholeTitleRows(text: string, { exact, match }: TitleLookup): readonly number[] {
  const matches = text.length > maxTypoLength ? exact(text) : match(text)
  const [best] = matches
  if (best === undefined || best.similarity <= nearTitle) return []
  const same = matches.filter(({ similarity }) => similarity === best.similarity)
  return [...new Set(same.map(({ row }) => row))]
}

/** Titles that a text is or nearly is: in another spelling, half typed, with a typo, with a year, or as a part of a series. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import { constants } from '../../base/constants/constants.js'
import type { TitleIndex } from '../../data/titles/title-index.js'
import { createPartsOfSeries, type NearTitle } from './parts-of-series.js'
import { foldText, hasOtherNumber, isHeadOf, wordCount, yearAfter } from './title-words.js'

/** So many letters at the beginning of a title name it where the work is among the best known twentieth. */
const minKnownNameLength = 4
/** Enough for all entries of a large franchise. */
const maxMatches = 60
/** A part of a title names it where the part is at least so long and all of it is in the title. */
const minNameLength = 5

const isHalf = (text: string): boolean =>
  text.length >= minNameLength && wordCount(text.trim().replace(/^(?:an?|the)\s/i, '')) > 1

const minPartWithTypo = 7

/** `KonoSuba 2` and `K-On! the movie` say which of a series they are. */
const saysSeason =
  /\d|\b(?:season|part|final|movie|film|ova|special|second|third|ii|iii|iv|kai|zoku)\b/i

export interface NearTitles {
  /** Titles that a text is or nearly is, in order. */
  readonly match: (text: string) => readonly NearTitle[]
  /** Titles that a text is in some spelling, in order. */
  readonly exact: (text: string) => readonly NearTitle[]
}

/** @param isWord whether a title or a text has a word */
export function createNearTitles(
  index: TitleIndex,
  popularity: Float32Array | undefined,
  facts: Pick<DatasetFacts, 'isMain' | 'franchises' | 'types' | 'years' | 'relations'>,
  isWord: (word: string) => boolean,
): NearTitles {
  const { isMain, franchises } = facts
  const { titles } = constants()
  const parts = createPartsOfSeries(facts, popularity, index)
  const mains = new Map<number, number>()
  franchises.forEach((franchise, row) => {
    if (franchise >= 0 && isMain[row] === 1) mains.set(franchise, row)
  })
  const match = (text: string) => {
    const numbered = nearest(text).filter(({ title }) => !hasOtherNumber(title, text))
    const near = ofYear(withMain(numbered, text), text)
    const { row = -1, similarity = 0 } = near[0] ?? {}
    const year = yearAfter(text)
    // Innocence is the second film, and no second season.
    const isFilm = /\bseason\b/i.test(text) && !parts.isSeason(row)
    const isAnother = isFilm || (year > 0 && (facts.years[row] ?? year) !== year)
    if (similarity >= titles.same && !isAnother) return near
    const matches = similarity > titles.corrected ? near : withCorrected(near, text)
    return withPart(matches, text, isAnother ? 0 : (matches[0]?.similarity ?? 0))
  }
  /** `hunter x hunter 1999`: works of that name of other years come later. */
  const ofYear = (found: readonly NearTitle[], text: string): readonly NearTitle[] => {
    const year = yearAfter(text)
    const isThere = year > 0 && found.some(({ row }) => facts.years[row] === year)
    if (!isThere) return found
    return found
      .map((match) => {
        const share = facts.years[match.row] === year ? 1 : titles.otherYear
        return { ...match, similarity: match.similarity * share }
      })
      .toSorted(inOrder)
  }
  /** `kaguya sama season 2`, `aot final season`, `gits 2045`: a part of a series, which no title says in these words. */
  const withPart = (
    found: readonly NearTitle[],
    text: string,
    least: number,
  ): readonly NearTitle[] => {
    const likely = parts.match(text, exactTitles, (name) => withMain(nearest(name), name))
    const [best] = likely
    if (best === undefined || best.similarity <= least) return found
    const rows = new Set(likely.map(({ row }) => row))
    return [...likely, ...found.filter(({ row }) => !rows.has(row))]
  }
  /** `demon slyer` is `demon slayer`, which is all before a subtitle. */
  const withCorrected = (found: readonly NearTitle[], text: string): readonly NearTitle[] => {
    const right = index.correct(text, isWord, popularity)
    if (right === undefined) return found
    // One short word that is a part of a title is too near to others: `sasuke` is no `basuke`.
    const least = wordCount(text) > 1 || text.length >= minPartWithTypo ? titles.part : titles.same
    const likely = withMain(nearest(right), right).filter(({ similarity }) => similarity >= least)
    const rows = new Set(likely.map(({ row }) => row))
    // One word of several is surer next to another; what is nearer stays nearer.
    const atMost = (similarity: number) =>
      wordCount(text) > 1 || similarity >= titles.same
        ? titles.corrected - (1 - similarity) / 10
        : titles.part
    return [
      ...likely.map(({ similarity, ...one }) => ({
        ...one,
        similarity: Math.min(similarity, atMost(similarity)),
      })),
      ...found.filter(({ row }) => !rows.has(row)),
    ].toSorted(inOrder)
  }
  const nearest = (text: string) =>
    index
      .match(text, maxMatches, popularity)
      .map(({ row, title, quality, similarity, queryCoverage }): NearTitle => {
        const isNamed = quality === 'prefix' || quality === 'words'
        const isKnown = quality === 'prefix' && (popularity?.[row] ?? NaN) >= titles.wellKnown
        const isLong = text.length >= (isKnown ? minKnownNameLength : minNameLength)
        const named = isNamed && queryCoverage === 1 && isLong ? titles.part : 0
        const begins = quality === 'prefix' && isMain[row] === 1
        const head = begins && isHeadOf(text, title) ? titles.head : 0
        const half = begins && isKnown && isHalf(text) ? titles.half : 0
        return { row, title, similarity: Math.max(similarity, named, head, half) }
      })
      .toSorted(inOrder)
  /** The name of a series without a season means its main work. */
  const withMain = (matches: readonly NearTitle[], text: string): readonly NearTitle[] => {
    const [best] = matches
    const main = best && mains.get(franchises[best.row] ?? -1)
    const isSeason =
      best !== undefined &&
      best.similarity >= titles.least &&
      saysSeason.test(best.title) &&
      !saysSeason.test(text) &&
      wordCount(text) < wordCount(best.title) &&
      // `demon slayer mugen train` and `heavens feel` name films by words of their own.
      parts.isSeason(best.row) &&
      (best.similarity !== titles.part || foldText(best.title).startsWith(foldText(text)))
    if (!isSeason || main === undefined || main === best.row) return matches
    const title = matches.find(({ row }) => row === main)?.title ?? text
    const others = matches.filter(({ row }) => row !== main)
    return [{ row: main, title, similarity: best.similarity }, ...others]
  }
  const exact = (text: string) =>
    index
      .exact(text, maxMatches, popularity)
      .map(({ row, title, similarity }): NearTitle => ({ row, title, similarity }))
      .toSorted(inOrder)
  /** `ghost in shell` of `ghost in shell sac`, too. */
  const exactTitles = (text: string): readonly NearTitle[] => {
    const same = exact(text)
    return same.length > 0 ? same : index.sameWords(text, maxMatches, popularity).toSorted(inOrder)
  }
  // Among titles that are as near, the main one of its franchise comes first; of those that only have the
  // words, the best known.
  const rank = ({ row }: { readonly row: number }) => -(isMain[row] ?? 0)
  const fame = ({ row, similarity }: NearTitle) =>
    similarity === titles.part ? (popularity?.[row] ?? 0) || 0 : 0
  const inOrder = (one: NearTitle, other: NearTitle) =>
    other.similarity - one.similarity || rank(one) - rank(other) || fame(other) - fame(one)
  return { match, exact }
}

/** Longer texts are a title only as it is written. */
const maxTypoLength = 80

/** The rows whose title is the whole text, in any spelling and with a typo; those that are the same first. */
export function wholeTitleRows(
  text: string,
  { exact, match }: Pick<NearTitles, 'exact' | 'match'>,
): readonly number[] {
  const matches = text.length > maxTypoLength ? exact(text) : match(text)
  const [best] = matches
  if (best === undefined || best.similarity <= constants().titles.part) return []
  const same = matches.filter(({ similarity }) => similarity === best.similarity)
  return [...new Set(same.map(({ row }) => row))]
}

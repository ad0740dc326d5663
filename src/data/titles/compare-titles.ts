/** How a query and a title agree, word by word; both are folded. */
import { constants } from '../../base/constants/constants.js'
import { maxUnits, textDistance } from '../../base/text/edit-distance.js'
import { agree, namesSeason, type FoldedTitle } from './fold-title.js'
import { allowedEdits } from '../../base/text/grams.js'
import { smallWordEdits, tellingWords } from '../../base/text/small-words.js'
import type { Season } from './split-season.js'
import type { Likeness, MatchQuality } from './title-match.js'

/** Undefined where they have too little in common. */
export function compareTitles(query: FoldedTitle, title: FoldedTitle): Likeness | undefined {
  if (query.joined === title.joined) return likeness('exact', 1, 1)
  const isSameBase = query.base === title.base
  if (isSameBase && agree(query.season, title.season)) {
    return likeness('exact', 1, 1, constants().titles.otherSpelling)
  }
  if (isSameBase && (namesSeason(query.season) || areOthers(query.season, title.season))) {
    return compareBases(query, title)
  }
  const shares = shareWords(query, title)
  const isWhole = shares.queryCoverage === 1
  if (isSameBase || isBeginning(query, title)) {
    return likeness('prefix', 1, romanizedShare(query.romanized, title.romanized))
  }
  const small = compareSmallWords(query, title)
  if (isWhole && shares.edits === 0) {
    return closest(small, likeness('words', 1, shares.titleCoverage))
  }
  return closest(small, closest(compareWhole(query, title), compareShares(shares, query)))
}

/** `ghost in a shell`, and `ghost in a shell stand alone` of a longer title. */
function compareSmallWords(query: FoldedTitle, title: FoldedTitle): Likeness | undefined {
  const found = smallWordEdits(query.romanized, title.romanized)
  if (found === undefined) return undefined
  if (found.isWhole) return likeness('words', 1, 1)
  const share = romanizedShare(tellingWords(query.romanized), title.romanized)
  return likeness('words', 1, share)
}

/** "Berserk 1997" is not "Berserk (2017)", and "Overlord season 1" is neither "Overlord II" nor a film of it. */
const areOthers = (query: Season, title: Season): boolean =>
  (query.year !== title.year && query.year > 0 && title.year > 0) ||
  (query.number === 1 && namesSeason(title))

function likeness(
  quality: MatchQuality,
  queryCoverage: number,
  titleCoverage: number,
  similarity = (2 * queryCoverage * titleCoverage) / (queryCoverage + titleCoverage),
): Likeness {
  return { quality, queryCoverage, titleCoverage, similarity }
}

function isBeginning(query: FoldedTitle, title: FoldedTitle): boolean {
  return (
    title.joined.startsWith(query.joined) ||
    title.romanized.join('').startsWith(query.romanized.join(''))
  )
}

function romanizedShare(part: readonly string[], whole: readonly string[]): number {
  return Math.min(1, part.join('').length / whole.join('').length)
}

/** Another season than the requested one: what they share is the base. */
function compareBases(query: FoldedTitle, title: FoldedTitle): Likeness {
  const shareOf = ({ base, romanized }: FoldedTitle) => base.length / romanized.join('').length
  return likeness('fuzzy', shareOf(query), shareOf(title))
}

/** The whole title against the whole query, by edits. */
function compareWhole(query: FoldedTitle, title: FoldedTitle): Likeness | undefined {
  let nearest: Likeness | undefined
  for (const [one, other] of [
    [query.joined, title.joined],
    [query.joinedBySeason, title.joinedBySeason],
  ] as const) {
    if (one.length > maxUnits || other.length > maxUnits + 3) continue
    const [shorter, longer] = [
      Math.min(one.length, other.length),
      Math.max(one.length, other.length),
    ]
    const edits = textDistance(one, other, allowedEdits(shorter))
    // A single character that is replaced leaves nothing.
    if (edits > allowedEdits(shorter) || edits >= longer) continue
    const found = likeness(
      'fuzzy',
      1 - edits / (longer + 1),
      1 - edits / (longer + 1),
      1 - edits / longer,
    )
    nearest = closest(nearest, found)
  }
  return nearest
}

interface Shares {
  readonly queryCoverage: number
  readonly titleCoverage: number
  readonly edits: number
}

/** Pairs each word of the query with an equal word of the title, or else with one that has a typo. */
function shareWords(query: FoldedTitle, title: FoldedTitle): Shares {
  const left = title.words.map((word, place) => ({ word, romanized: title.romanized[place] }))
  let inQuery = 0
  let inTitle = 0
  let edits = 0
  for (const [at, word] of query.words.entries()) {
    let place = left.findIndex((other) => other.romanized === query.romanized[at])
    if (place < 0 && word.length >= minTypoLength) {
      place = left.findIndex((other) => isTypo(word, other.word))
      if (place >= 0) edits += 1
    }
    const paired = left[place]
    if (paired === undefined) continue
    inQuery += word.length
    inTitle += paired.word.length
    left.splice(place, 1)
  }
  return {
    queryCoverage: inQuery / query.joined.length,
    titleCoverage: inTitle / title.joined.length,
    edits,
  }
}

/** Shorter words are near too many others. */
export const minTypoLength = 4

function isTypo(word: string, other: string): boolean {
  const allowed = allowedEdits(Math.min(word.length, other.length))
  return other.length >= minTypoLength && textDistance(word, other, allowed) <= allowed
}

function compareShares(
  { queryCoverage, titleCoverage, edits }: Shares,
  query: FoldedTitle,
): Likeness | undefined {
  const isPart = queryCoverage === 1 || titleCoverage === 1
  if (!isPart) return undefined
  const harmonic = (2 * queryCoverage * titleCoverage) / (queryCoverage + titleCoverage)
  const right = 1 - edits / query.joined.length
  return likeness('fuzzy', queryCoverage * right, titleCoverage * right, harmonic * right)
}

function closest(one: Likeness | undefined, other: Likeness | undefined): Likeness | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.similarity >= other.similarity ? one : other
}

/** Which titles are no chance of which a word or two are remembered wrongly. */
import { nearTitle } from '../query/read-title.js'
import type { TitleMatch } from '../query/interpretation.js'
import type { MisrememberedTitle } from '../titles/misremembered.js'
import { qualityOf, type RewordedTitle } from '../titles/reworded.js'
import { seriesNumber } from './franchise-rows.js'
import { knownByWord, knownByWords } from './known-names.js'

/** So many words that are right are no chance, nor are fewer that are so rare in prose, in bits. */
const enoughRight = 3
const enoughBits = 6.5
/** Beside two wrong ones, one of them is that rare: `moribito protector of the ghost`. */
const rareBits = 9
/** Where more series have such a title, its form is a common one: `the girl in the ...`. */
const maxSeries = 2

/** @param franchises the number of each row's franchise; negative where it has none */
export function likelyMisremembered(
  found: readonly MisrememberedTitle[],
  franchises: Int32Array,
): readonly TitleMatch[] {
  const least = Math.min(...found.map(({ wrong }) => wrong))
  const meant = found.filter((title) => title.wrong === least && isNoChance(title))
  if (countSeries(meant, franchises) > maxSeries) return []
  // It is no whole title, so what its words say otherwise counts, too.
  return meant.map(({ row, title }) => ({ row, title, similarity: nearTitle }))
}

const countSeries = (titles: readonly { readonly row: number }[], franchises: Int32Array): number =>
  new Set(titles.map(({ row }) => seriesNumber(franchises, row))).size

const isNoChance = ({ right, wrong, bits, rarest }: MisrememberedTitle): boolean =>
  wrong > 1
    ? right >= enoughRight && rarest >= rareBits
    : right >= enoughRight || (right > 1 && bits >= enoughBits)

/** What is no chance: nearly all of a title; a part of one, and nothing else; most of one, beside other words. */
const noChances = [
  { queryShare: 0.8, titleShare: 0.68, bits: 11, telling: 2, fame: knownByWords },
  { queryShare: 0.88, titleShare: 0.5, bits: 14, telling: 3, fame: knownByWord },
  { queryShare: 0.72, titleShare: 0.8, bits: 18, telling: 3, fame: knownByWords },
] as const
/** Titles that agree as well but for so much. */
const asGood = 0.95

/** Titles whose words are told otherwise, in any order, and of which that is no chance. */
export function likelyReworded(
  found: readonly RewordedTitle[],
  fameOf: (row: number) => number,
  franchises: Int32Array,
): readonly TitleMatch[] {
  const likely = found
    .filter((title) => isLikely(title, fameOf(title.row)))
    .toSorted((one, other) => qualityOf(other) - qualityOf(one))
  const [best] = likely
  if (best === undefined) return []
  const meant = likely.filter((title) => qualityOf(title) >= asGood * qualityOf(best))
  if (countSeries(meant, franchises) > maxSeries) return []
  return meant.map(({ row, title }) => ({ row, title, similarity: nearTitle }))
}

const isLikely = (title: RewordedTitle, fame: number): boolean =>
  noChances.some(
    (least) =>
      title.queryShare >= least.queryShare &&
      title.titleShare >= least.titleShare &&
      title.bits >= least.bits &&
      title.telling >= least.telling &&
      fame >= least.fame,
  )

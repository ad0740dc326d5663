/** Which titles are no chance of which a word or two are remembered wrongly. */
import { nearTitle } from '../query/read-title.js'
import type { TitleMatch } from '../query/interpretation.js'
import type { MisrememberedTitle } from '../titles/misremembered.js'

/** So many words that are right are no chance, nor are fewer that are so rare in prose, in bits. */
const enoughRight = 3
const enoughBits = 6.5
/** Beside two wrong ones, one of them is that rare: `moribito protector of the ghost`. */
const rareBits = 9
/** Where more series have such a title, its form is a common one: `the girl in the ...`. */
const maxSeries = 2

/** @param franchiseOf of a row; negative where it has none */
export function likelyMisremembered(
  found: readonly MisrememberedTitle[],
  franchiseOf: (row: number) => number,
): readonly TitleMatch[] {
  const least = Math.min(...found.map(({ wrong }) => wrong))
  const meant = found.filter((title) => title.wrong === least && isNoChance(title))
  const seriesOf = (row: number) => (franchiseOf(row) < 0 ? `row ${row}` : franchiseOf(row))
  if (new Set(meant.map(({ row }) => seriesOf(row))).size > maxSeries) return []
  // It is no whole title, so what its words say otherwise counts, too.
  return meant.map(({ row, title }) => ({ row, title, similarity: nearTitle }))
}

const isNoChance = ({ right, wrong, bits, rarest }: MisrememberedTitle): boolean =>
  wrong > 1
    ? right >= enoughRight && rarest >= rareBits
    : right >= enoughRight || (right > 1 && bits >= enoughBits)

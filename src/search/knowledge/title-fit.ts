/** How nearly a query is, or has words of, the titles of works. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import type { Reading } from '../reader/interpretation.js'
import { partOfTitle } from '../../data/titles/similarity.js'
import { franchiseRows } from './franchise-rows.js'

export type TitleReading = Extract<Reading, { readonly kind: 'title' }>

/** Of several works with the title, those that are not the main work of their franchise are less likely. */
const notMainShare = 0.95
/** A query that is the title of a work also means what belongs to it, before works that only have the same words. */
const franchiseShare = 0.9
/** `spider isekai`: a work that has the word in its title, and is what the query requests. */
const wordsAndRequests = 0.8
/** A word of a title in a long story is a chance: what it counts is the share of the query that is read, to this power. */
const sharePower = 0.5
interface RequestedFit {
  /** Absent where nothing is requested. */
  readonly requestScores: Float32Array | undefined
  /** The share of the significant words that the requests explain. */
  readonly explained: number
}

/** The whole query is a title, but for some letters or a word. */
const isNearlyWhole = ({ share, confidence }: TitleReading): boolean =>
  share === undefined && confidence > partOfTitle

/**
 * Such a title is rarely alike by chance, and `monster` of `the boy and the monster` is rarely a request. So its similarity
 * is raised to this power, or to the share of the query that other readings explain, if that is more.
 */
const nearlyWholePower = 0.5

export function titleFit(
  facts: DatasetFacts,
  titles: readonly TitleReading[],
  isNamed: (title: TitleReading) => boolean,
  { requestScores, explained }: RequestedFit,
): Float32Array {
  const { rowCount, franchises, isMain } = facts
  const fit = new Float32Array(rowCount)
  const raise = (row: number, value: number) => (fit[row] = Math.max(fit[row] ?? 0, value))
  for (const title of titles) {
    const { rows, share = 1 } = title
    const power = isNearlyWhole(title) ? Math.max(nearlyWholePower, explained) : 1
    const confidence = title.confidence ** power
    const sureness = Math.min(1, share + explained) ** sharePower
    if (isNamed(title)) {
      for (const row of franchiseRows(facts, rows)) raise(row, confidence * franchiseShare)
    }
    const mains = new Set(rows.filter((row) => isMain[row] === 1).map((row) => franchises[row]))
    for (const row of rows) {
      const isOther = isMain[row] !== 1 && mains.has(franchises[row])
      const sure = sureness * Math.max(confidence, wordsAndRequests * (requestScores?.[row] ?? 0))
      raise(row, isOther ? sure * notMainShare : sure)
    }
  }
  return fit
}

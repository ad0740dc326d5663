/** How nearly a query is, or has words of, the titles of works. */
import type { PlannedTitle } from '../../native/addon/rank-plan.js'
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

interface RequestedShare {
  readonly hasRequests: boolean
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

/** Rows that the query names, each as often as it does. */
export function titleRows(
  facts: Pick<DatasetFacts, 'franchises' | 'franchiseMembers' | 'isMain'>,
  titles: readonly TitleReading[],
  isNamed: (title: TitleReading) => boolean,
  { hasRequests, explained }: RequestedShare,
): readonly PlannedTitle[] {
  const { franchises, isMain } = facts
  const requestShare = hasRequests ? wordsAndRequests : 0
  return titles.flatMap((title) => {
    const { rows, share = 1 } = title
    const power = isNearlyWhole(title) ? Math.max(nearlyWholePower, explained) : 1
    const confidence = title.confidence ** power
    const sureness = Math.min(1, share + explained) ** sharePower
    const related = isNamed(title) ? franchiseRows(facts, rows) : []
    const mains = new Set(rows.filter((row) => isMain[row] === 1).map((row) => franchises[row]))
    const isOther = (row: number) => isMain[row] !== 1 && mains.has(franchises[row])
    return [
      ...related.map((row) => ({
        ...{ row, confidence: confidence * franchiseShare },
        ...{ sureness: 1, requestShare: 0, share: 1 },
      })),
      ...rows.map((row) => ({
        ...{ row, confidence, sureness, requestShare },
        share: isOther(row) ? notMainShare : 1,
      })),
    ]
  })
}

/** The readings of a query against the facts of every work: what is fulfilled, and which exclusions are broken. */
import type { Fact, Interpretation, Reading } from '../query/interpretation.js'
import type { DatasetFacts } from './dataset-facts.js'
import { degreesOf } from './degrees.js'

export interface FactMatches {
  /** Weighted mean of the degrees to which a row fulfils the wished facts, 0 to 1; 0 where none is wished. */
  readonly fulfilled: Float32Array
  /** The degree to which a row has what is excluded, 0 to 1: that of its worst. */
  readonly broken: Float32Array
  /** The share of the wishes, by their confidence, that any row has something of: others say nothing. */
  readonly known: number
  /** Each wished fact with the degree to which each row has it. */
  readonly wishes: readonly Wish[]
}

export interface Wish {
  /** What the query says, for people. */
  readonly label: string
  readonly degrees: Float32Array
}

const isFact = (reading: Reading): reading is Extract<Reading, Fact> =>
  !['title', 'like', 'makers', 'words'].includes(reading.kind)

/**
 * A row that fails one of several wishes is further from what is meant than the mean tells, so the mean is
 * multiplied by the share of the wishes of which it has something, raised to this power.
 */
const failurePower = 0.5

export function matchReadings(
  facts: DatasetFacts,
  { readings }: Pick<Interpretation, 'readings'>,
): FactMatches {
  const fulfilled = new Float32Array(facts.rowCount)
  const broken = new Float32Array(facts.rowCount)
  const wished = readings.filter(isFact).filter(({ excluded }) => !excluded)
  const total = wished.reduce((sum, { confidence }) => sum + confidence, 0)
  const met = new Uint8Array(facts.rowCount)
  const wishes = wished.map((reading) => ({ ...reading, degrees: degreesOf(facts, reading) }))
  let known = wishes.length === 0 ? 1 : 0
  for (const { confidence, degrees } of wishes) {
    const share = confidence / total
    let isKnown = false
    for (let row = 0; row < degrees.length; row += 1) {
      const degree = degrees[row] ?? 0
      if (degree === 0) continue
      isKnown = true
      fulfilled[row] = (fulfilled[row] ?? 0) + share * degree
      met[row] = (met[row] ?? 0) + 1
    }
    if (isKnown) known += share
  }
  const keptOf = wished.map((_, failed) => (1 - failed / wished.length) ** failurePower)
  for (let row = 0; wished.length > 0 && row < fulfilled.length; row += 1) {
    const failed = wished.length - (met[row] ?? 0)
    if (failed < wished.length) fulfilled[row] = (fulfilled[row] ?? 0) * (keptOf[failed] ?? 0)
  }
  for (const reading of readings.filter(isFact).filter(({ excluded }) => excluded)) {
    degreesOf(facts, reading).forEach((degree, row) => {
      broken[row] = Math.max(broken[row] ?? 0, degree * reading.confidence)
    })
  }
  return { fulfilled, broken, known, wishes }
}

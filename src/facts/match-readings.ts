/** The readings of a query against the facts of every work: what is fulfilled, and which exclusions are broken. */
import type { Fact, Interpretation, Reading, Span } from '../query/interpretation.js'
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

/** What is read without any confidence is no wish. */
const isWish = ({ excluded, confidence }: Reading): boolean => !excluded && confidence > 0

/**
 * A row that fails one of several wishes is further from what is meant than the mean tells, so the mean is
 * multiplied by the share of the wishes of which it has something, raised to this power.
 */
const failurePower = 0.5

/** Fewer works that meet all wishes do not fill the first answers; those beside them fail the one or the other. */
const fewWholly = 5
/** Then a subject that fails counts as several wishes: what a work is about is told last of all by form or years. */
const subjectFailure = 3
const subjectKinds = new Set(['topic', 'studio', 'person', 'magazine'])
/** Who names a person wants their works: a person counts as so many wishes. */
const personWeight = 2
const weightOfKind = (kind: Reading['kind']): number => (kind === 'person' ? personWeight : 1)

export function matchReadings(
  facts: DatasetFacts,
  { readings }: Pick<Interpretation, 'readings'>,
): FactMatches {
  const fulfilled = new Float32Array(facts.rowCount)
  const broken = new Float32Array(facts.rowCount)
  const wished = readings.filter(isFact).filter(isWish)
  const wishes = ofTheSameWords(
    wished.map((reading) => ({ ...reading, degrees: degreesOf(facts, reading) })),
  )
  const known = alternatives(wishes.filter(({ degrees }) => degrees.some((degree) => degree > 0)))
  addFulfilled(fulfilled, known)
  for (const reading of readings.filter(isFact).filter(({ excluded }) => excluded)) {
    degreesOf(facts, reading).forEach((degree, row) => {
      broken[row] = Math.max(broken[row] ?? 0, degree * reading.confidence)
    })
  }
  const share = weightOf(known) / weightOf(alternatives(wishes))
  return { fulfilled, broken, known: wishes.length === 0 ? 1 : share, wishes }
}

type KnownWish = Wish & Pick<Reading, 'kind' | 'confidence'>

/** What the best of several makers counts; the rest is what share of the others a work has, too. */
const bestShare = 0.9
const makerKinds = new Set(['studio', 'person'])

/** Makers that the same words name are one wish: `by the makers of X` is met by its studio or by one of its people. */
function ofTheSameWords<T extends KnownWish & Span>(wishes: readonly T[]): readonly T[] {
  const groups = new Map<string, readonly T[]>()
  for (const wish of wishes) {
    const isMaker = makerKinds.has(wish.kind)
    const words = isMaker ? `${wish.begin} ${wish.end} ${wish.label}` : `${groups.size}`
    groups.set(words, [...(groups.get(words) ?? []), wish])
  }
  return [...groups.values()].map(anyOf)
}

function anyOf<T extends KnownWish>(group: readonly T[]): T {
  const [first, ...others] = group as readonly [T, ...T[]]
  if (others.length === 0) return first
  const best = Float32Array.from(first.degrees)
  const sums = Float32Array.from(first.degrees)
  for (const { degrees } of others) {
    for (let row = 0; row < best.length; row += 1) {
      const degree = degrees[row] ?? 0
      best[row] = Math.max(best[row] ?? 0, degree)
      sums[row] = (sums[row] ?? 0) + degree
    }
  }
  const share = (1 - bestShare) / group.length
  return {
    ...first,
    degrees: best.map((degree, row) => bestShare * degree + share * (sums[row] ?? 0)),
  }
}

/** A work has one of these: who names two, as in `from the 80s and 90s`, takes either. */
const singleKinds = new Set(['type', 'years', 'audience', 'source', 'status', 'studio', 'magazine'])

/** The wishes; those of a kind of which a work has only one are joined to one wish. */
function alternatives(wishes: readonly KnownWish[]): readonly KnownWish[] {
  const groups = new Map<string, readonly KnownWish[]>()
  const others: KnownWish[] = []
  for (const wish of wishes) {
    if (singleKinds.has(wish.kind)) groups.set(wish.kind, [...(groups.get(wish.kind) ?? []), wish])
    else others.push(wish)
  }
  return [...others, ...[...groups.values()].map((group) => eitherOf(surest(group)))]
}

/** Of `old` and `80s` the years that are told: the vaguer words tell the same. */
function surest(group: readonly KnownWish[]): readonly KnownWish[] {
  if (group.some(({ kind }) => kind !== 'years')) return group
  const most = Math.max(...group.map(({ confidence }) => confidence))
  return group.filter(({ confidence }) => confidence === most)
}

function eitherOf(group: readonly KnownWish[]): KnownWish {
  const [first, ...others] = group as readonly [KnownWish, ...KnownWish[]]
  if (others.length === 0) return first
  const degrees = Float32Array.from(first.degrees)
  for (const other of others) {
    for (let row = 0; row < degrees.length; row += 1) {
      degrees[row] = Math.max(degrees[row] ?? 0, other.degrees[row] ?? 0)
    }
  }
  return { ...first, degrees, confidence: Math.max(...group.map(({ confidence }) => confidence)) }
}

const weightOf = (wishes: readonly Pick<Reading, 'kind' | 'confidence'>[]): number =>
  wishes.reduce((sum, { kind, confidence }) => sum + weightOfKind(kind) * confidence, 0)

function addFulfilled(fulfilled: Float32Array, wishes: readonly KnownWish[]): void {
  const total = weightOf(wishes)
  const met = new Uint8Array(fulfilled.length)
  const metSubjects = new Uint8Array(fulfilled.length)
  for (const { kind, confidence, degrees } of wishes) {
    const weight = weightOfKind(kind)
    const share = (weight * confidence) / total
    const counts = subjectKinds.has(kind) ? metSubjects : met
    for (let row = 0; row < degrees.length; row += 1) {
      const degree = degrees[row] ?? 0
      if (degree === 0) continue
      fulfilled[row] = (fulfilled[row] ?? 0) + share * degree
      counts[row] = (counts[row] ?? 0) + weight
    }
  }
  const named = wishes.filter(({ kind }) => subjectKinds.has(kind))
  const subjects = named.reduce((sum, { kind }) => sum + weightOfKind(kind), 0)
  const others = wishes.length - named.length
  let wholly = 0
  for (let row = 0; row < met.length; row += 1) {
    if (met[row] === others && metSubjects[row] === subjects) wholly += 1
  }
  const subjectWeight = wholly < fewWholly ? subjectFailure : 1
  const all = others + subjectWeight * subjects
  for (let row = 0; row < fulfilled.length; row += 1) {
    const fulfils = fulfilled[row] ?? 0
    if (fulfils === 0) continue
    const kept = (met[row] ?? 0) + subjectWeight * (metSubjects[row] ?? 0)
    if (kept < all) fulfilled[row] = fulfils * (kept / all) ** failurePower
  }
}

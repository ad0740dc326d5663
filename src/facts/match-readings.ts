/** The readings of a query against the facts of every work: what is fulfilled, and which exclusions are broken. */
import type { Fact, Interpretation, Reading, Span } from '../query/interpretation.js'
import type { DatasetFacts } from './dataset-facts.js'
import { degreesOf } from './degrees.js'

export interface FactMatches {
  /** Weighted mean of the degrees to which a row fulfils the requested facts, 0 to 1; 0 where none is wished. */
  readonly fulfilled: Float32Array
  /** The degree to which a row has what is excluded, 0 to 1: that of its worst. */
  readonly broken: Float32Array
  /** The share of the wishes, by their confidence, that any row has something of: others say nothing. */
  readonly known: number
  /** Each wished fact with the degree to which each row has it. */
  readonly wishes: readonly Wish[]
}

type FactReading = Extract<Reading, Fact>

export interface Wish {
  /** What the query says, for people. */
  readonly label: string
  readonly degrees: Float32Array
}

export const isFact = (reading: Reading): reading is FactReading =>
  !['title', 'like', 'makers', 'words'].includes(reading.kind)

/** What is read without any confidence is no wish. */
const isWish = ({ excluded, confidence }: Reading): boolean => !excluded && confidence > 0

/** Fewer works that meet all wishes do not fill the first answers; those beside them fail the one or the other. */
const fewWholly = 5
/** Then a subject that fails counts as several wishes: what a work is about is told last of all by form or years. */
const subjectFailure = 3
const subjectKinds = new Set(['topic', 'studio', 'person', 'magazine'])
/** What a wish counts: who names a maker wants their works, and how something is told says less than what it is about. */
const weights = { person: 3, studio: 1.5, magazine: 1.5, manner: 0.7, other: 1 } as const
/** A subject that so many works have, by their degrees, counts as much as another wish. */
const usualShare = 0.05
/** What the commonest and the rarest count: post-apocalypse is what is meant of `peaceful post apocalypse`. */
const subjectWeights = { least: 0.5, most: 2 } as const

/** Loops over rows count, as everywhere in here: methods and iterators of typed arrays take twenty times as long. */
function sumOfDegrees(degrees: Float32Array): number {
  let sum = 0
  let row = degrees.length
  while (row > 0) {
    row -= 1
    sum += degrees[row] ?? 0
  }
  return sum
}

/** A subject counts by ln(share of works) / ln(usual share): its inverse document frequency (Spärck Jones, 1972). */
function weightOf(reading: FactReading, degrees: Float32Array): number {
  if (reading.kind === 'topic') {
    if (reading.isSubject !== true) return weights.manner
    const share = sumOfDegrees(degrees) / degrees.length
    const weight = share > 0 ? Math.log(share) / Math.log(usualShare) : weights.other
    return Math.min(subjectWeights.most, Math.max(subjectWeights.least, weight))
  }
  const { kind } = reading
  return kind === 'person' || kind === 'studio' || kind === 'magazine'
    ? weights[kind]
    : weights.other
}

export function matchReadings(
  facts: DatasetFacts,
  { readings }: Pick<Interpretation, 'readings'>,
): FactMatches {
  const fulfilled = new Float32Array(facts.rowCount)
  const broken = new Float32Array(facts.rowCount)
  const wished = readings.filter(isFact).filter(isWish)
  const told = wished.map((reading) => ({ ...reading, degrees: degreesOf(facts, reading) }))
  const wishes = ofTheSameWords(
    oneOfEach(told).map((reading) => ({ ...reading, weight: weightOf(reading, reading.degrees) })),
  )
  const known = alternatives(wishes.filter(({ degrees }) => sumOfDegrees(degrees) > 0))
  addFulfilled(fulfilled, known)
  for (const reading of readings.filter(isFact).filter(({ excluded }) => excluded)) {
    const degrees = degreesOf(facts, reading)
    for (let row = 0; row < degrees.length; row += 1)
      broken[row] = Math.max(broken[row] ?? 0, (degrees[row] ?? 0) * reading.confidence)
  }
  const share = sumOf(known) / sumOf(alternatives(wishes))
  return { fulfilled, broken, known: wishes.length === 0 ? 1 : share, wishes }
}

type KnownWish = Wish &
  Pick<Reading, 'kind' | 'confidence'> & {
    /** What it counts beside others. */
    readonly weight: number
  }

/** Alternatives are one wish, which one of them meets nearly: `boxing or yakuza`. */
function oneOfEach<T extends FactReading & Wish>(wishes: readonly T[]): readonly T[] {
  return wishes.flatMap((wish) => {
    if (wish.either === undefined) return [wish]
    const group = wishes.filter(({ either }) => either === wish.either)
    if (group[0] !== wish) return []
    const label = group.map(({ label }) => label).join(' or ')
    return [{ ...wish, label, degrees: nearlyBestOf(group) }]
  })
}

/** What the best of several makers or alternatives counts; the rest is what share of the others a work has, too. */
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
  return others.length === 0 ? first : { ...first, degrees: nearlyBestOf(group) }
}

function nearlyBestOf(group: readonly Pick<Wish, 'degrees'>[]): Float32Array {
  const sums = new Float32Array(group[0]?.degrees.length ?? 0)
  for (const { degrees } of group) {
    for (let row = 0; row < sums.length; row += 1)
      sums[row] = (sums[row] ?? 0) + (degrees[row] ?? 0)
  }
  const best = bestOf(group)
  const share = (1 - bestShare) / group.length
  for (let row = 0; row < best.length; row += 1)
    best[row] = bestShare * (best[row] ?? 0) + share * (sums[row] ?? 0)
  return best
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
  const confidence = Math.max(...group.map(({ confidence }) => confidence))
  return { ...first, degrees: bestOf(group), confidence }
}

/** The degree of the best in each row. */
function bestOf(group: readonly Pick<Wish, 'degrees'>[]): Float32Array {
  const degrees = new Float32Array(group[0]?.degrees.length ?? 0)
  for (const other of group) {
    for (let row = 0; row < degrees.length; row += 1) {
      degrees[row] = Math.max(degrees[row] ?? 0, other.degrees[row] ?? 0)
    }
  }
  return degrees
}

const sumOf = (wishes: readonly Pick<KnownWish, 'weight' | 'confidence'>[]): number =>
  wishes.reduce((sum, { weight, confidence }) => sum + weight * confidence, 0)

/** Sums of weights differ by less where the same wishes are met. */
const rounding = 1e-3

function addFulfilled(fulfilled: Float32Array, wishes: readonly KnownWish[]): void {
  const total = sumOf(wishes)
  const met = new Float32Array(fulfilled.length)
  const metSubjects = new Float32Array(fulfilled.length)
  for (const { kind, confidence, degrees, weight } of wishes) {
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
  const subjects = named.reduce((sum, { weight }) => sum + weight, 0)
  const others = wishes.length - named.length
  let wholly = 0
  for (let row = 0; row < fulfilled.length; row += 1) {
    if (fulfilled[row] === 0 || met[row] !== others) continue
    if ((metSubjects[row] ?? 0) > subjects - rounding) wholly += 1
  }
  const subjectWeight = wholly < fewWholly ? subjectFailure : 1
  const all = others + subjectWeight * subjects
  for (let row = 0; row < fulfilled.length; row += 1) {
    const fulfils = fulfilled[row] ?? 0
    if (fulfils === 0) continue
    const kept = (met[row] ?? 0) + subjectWeight * (metSubjects[row] ?? 0)
    // A row that fails one of several wishes is further from what is meant than the mean tells.
    if (kept < all - rounding) fulfilled[row] = fulfils * Math.sqrt(kept / all)
  }
}

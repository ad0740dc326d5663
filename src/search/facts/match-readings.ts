/** The readings of a query against the facts of every work: what is fulfilled, and which exclusions are broken. */
import type { Fact, Interpretation, Reading, Span } from '../reader/interpretation.js'
import { fulfil } from '../../native/addon/row-passes.js'
import type { DatasetFacts } from './dataset-facts.js'
import { degreesOf } from './degrees.js'

export interface FactMatches {
  /** Weighted mean of the degrees to which a row fulfils the requested facts, 0 to 1; 0 where none is requested. */
  readonly requestScores: Float32Array
  /** The degree to which a row has what is excluded, 0 to 1: that of its worst. */
  readonly exclusionScores: Float32Array
  /** The share of the requests, by their confidence, that some row has; others do not count. */
  readonly known: number
  /** Each requested fact with the degree to which each row has it. */
  readonly requests: readonly RequestedFact[]
}

type FactReading = Extract<Reading, Fact>

export interface RequestedFact {
  /** What the query says, for people. */
  readonly label: string
  readonly degrees: Float32Array
}

export const isFact = (reading: Reading): reading is FactReading =>
  !['title', 'like', 'makers', 'words'].includes(reading.kind)

/** A reading without confidence is not a request. */
const isRequested = ({ excluded, confidence }: Reading): boolean => !excluded && confidence > 0

/** Fewer works that meet all requests do not fill the first answers; the others fail one of them. */
const fewWholly = 5
/** Then a subject that fails counts as several requests: form and years say little of what a work is about. */
const subjectFailure = 3
const subjectKinds = new Set(['topic', 'studio', 'person', 'magazine'])
/** What a request counts: a named maker counts most, and a manner less than a subject. */
const weights = { person: 3, studio: 1.5, magazine: 1.5, manner: 0.7, other: 1 } as const
/** A subject that so many works have, by their degrees, counts as much as another request. */
const usualShare = 0.05
/** The weights of the commonest and the rarest: the subject of `peaceful post apocalypse` is post-apocalypse. */
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
  const requestScores = new Float32Array(facts.rowCount)
  const exclusionScores = new Float32Array(facts.rowCount)
  const requested = readings.filter(isFact).filter(isRequested)
  const withDegrees = requested.map((reading) => ({
    ...reading,
    degrees: degreesOf(facts, reading),
  }))
  const requests = ofTheSameWords(
    oneOfEach(withDegrees).map((reading) => ({
      ...reading,
      weight: weightOf(reading, reading.degrees),
    })),
  )
  const known = alternatives(requests.filter(({ degrees }) => sumOfDegrees(degrees) > 0))
  addFulfilled(requestScores, known)
  for (const reading of readings.filter(isFact).filter(({ excluded }) => excluded)) {
    const degrees = degreesOf(facts, reading)
    for (let row = 0; row < degrees.length; row += 1)
      exclusionScores[row] = Math.max(
        exclusionScores[row] ?? 0,
        (degrees[row] ?? 0) * reading.confidence,
      )
  }
  const share = sumOf(known) / sumOf(alternatives(requests))
  return { requestScores, exclusionScores, known: requests.length === 0 ? 1 : share, requests }
}

type WeightedFact = RequestedFact &
  Pick<Reading, 'kind' | 'confidence'> & {
    /** What it counts next to others. */
    readonly weight: number
  }

/** Alternatives are one request, which one of them meets nearly: `boxing or yakuza`. */
function oneOfEach<T extends FactReading & RequestedFact>(requests: readonly T[]): readonly T[] {
  return requests.flatMap((request) => {
    if (request.either === undefined) return [request]
    const group = requests.filter(({ either }) => either === request.either)
    if (group[0] !== request) return []
    const label = group.map(({ label }) => label).join(' or ')
    return [{ ...request, label, degrees: nearlyBestOf(group) }]
  })
}

/** What the best of several makers or alternatives counts; the rest is what share of the others a work has, too. */
const bestShare = 0.9
const makerKinds = new Set(['studio', 'person'])

/** Makers that the same words name are one request: `by the makers of X` is met by its studio or by one of its people. */
function ofTheSameWords<T extends WeightedFact & Span>(requests: readonly T[]): readonly T[] {
  const groups = new Map<string, readonly T[]>()
  for (const request of requests) {
    const isMaker = makerKinds.has(request.kind)
    const words = isMaker ? `${request.begin} ${request.end} ${request.label}` : `${groups.size}`
    groups.set(words, [...(groups.get(words) ?? []), request])
  }
  return [...groups.values()].map(anyOf)
}

function anyOf<T extends WeightedFact>(group: readonly T[]): T {
  const [first, ...others] = group as readonly [T, ...T[]]
  return others.length === 0 ? first : { ...first, degrees: nearlyBestOf(group) }
}

function nearlyBestOf(group: readonly Pick<RequestedFact, 'degrees'>[]): Float32Array {
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

/** A work has one of these: two of them, as in `from the 80s and 90s`, are alternatives. */
const singleKinds = new Set(['type', 'years', 'audience', 'source', 'status', 'studio', 'magazine'])

/** The requests; those of a kind that a work has only once are joined to one request. */
function alternatives(requests: readonly WeightedFact[]): readonly WeightedFact[] {
  const groups = new Map<string, readonly WeightedFact[]>()
  const others: WeightedFact[] = []
  for (const request of requests) {
    if (singleKinds.has(request.kind))
      groups.set(request.kind, [...(groups.get(request.kind) ?? []), request])
    else others.push(request)
  }
  return [...others, ...[...groups.values()].map((group) => eitherOf(surest(group)))]
}

/** Of `old` and `80s` the surer years: the vaguer words mean the same. */
function surest(group: readonly WeightedFact[]): readonly WeightedFact[] {
  if (group.some(({ kind }) => kind !== 'years')) return group
  const most = Math.max(...group.map(({ confidence }) => confidence))
  return group.filter(({ confidence }) => confidence === most)
}

function eitherOf(group: readonly WeightedFact[]): WeightedFact {
  const [first, ...others] = group as readonly [WeightedFact, ...WeightedFact[]]
  if (others.length === 0) return first
  const confidence = Math.max(...group.map(({ confidence }) => confidence))
  return { ...first, degrees: bestOf(group), confidence }
}

/** The degree of the best in each row. */
function bestOf(group: readonly Pick<RequestedFact, 'degrees'>[]): Float32Array {
  const degrees = new Float32Array(group[0]?.degrees.length ?? 0)
  for (const other of group) {
    for (let row = 0; row < degrees.length; row += 1) {
      degrees[row] = Math.max(degrees[row] ?? 0, other.degrees[row] ?? 0)
    }
  }
  return degrees
}

const sumOf = (requests: readonly Pick<WeightedFact, 'weight' | 'confidence'>[]): number =>
  requests.reduce((sum, { weight, confidence }) => sum + weight * confidence, 0)

/** Sums of weights differ by less where the same requests are met. */
const rounding = 1e-3

function addFulfilled(requestScores: Float32Array, requests: readonly WeightedFact[]): void {
  const total = sumOf(requests)
  const facts = requests.map(({ kind, confidence, degrees, weight }) => ({
    ...{ degrees, weight },
    share: (weight * confidence) / total,
    isSubject: subjectKinds.has(kind),
  }))
  fulfil(requestScores, facts, { fewWholly, subjectFailure, rounding })
}

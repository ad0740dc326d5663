/** What a query requests and excludes of facts, as the core compares it with every work. */
import { constants } from '../../base/constants/constants.js'
import type {
  PlannedAlternatives,
  PlannedExclusion,
  PlannedRequest,
  RequestRules,
} from '../../native/addon/rank-plan.js'
import type { Fact, Interpretation, Reading } from '../reader/interpretation.js'
import type { DatasetFacts } from './dataset-facts.js'
import { plannedFact } from './planned-fact.js'

export interface RequestedFacts {
  readonly requests: readonly PlannedRequest[]
  /** What the query says of each request, for people. */
  readonly labels: readonly string[]
  readonly exclusions: readonly PlannedExclusion[]
}

type FactReading = Extract<Reading, Fact>

export const isFact = (reading: Reading): reading is FactReading =>
  !['title', 'like', 'makers', 'words'].includes(reading.kind)

/** A reading without confidence is not a request. */
const isRequested = ({ excluded, confidence }: Reading): boolean => !excluded && confidence > 0

/** Sums of weights differ by less where the same requests are met. */
const rounding = 1e-3

export function requestRules(): RequestRules {
  const { usualShare, leastWeight } = constants().requests
  return { usualShare, leastWeight, rounding }
}

/** A work has one of these: two of them, as in `from the 80s and 90s`, are alternatives. */
const singleKinds = ['type', 'years', 'audience', 'source', 'status', 'studio', 'magazine']

export function requestedFacts(
  facts: DatasetFacts,
  { readings }: Pick<Interpretation, 'readings'>,
): RequestedFacts {
  const requested = readings.filter(isFact).filter(isRequested)
  const groups = ofTheSameWords(oneOfEach(requested))
  return {
    requests: groups.map((group) => requestOf(facts, group)),
    labels: groups.map(([first]) => first.label),
    exclusions: readings
      .filter(isFact)
      .filter(({ excluded }) => excluded)
      .map((reading) => ({ fact: plannedFact(facts, reading), confidence: reading.confidence })),
  }
}

/** Facts; one of them is enough. */
interface Alternatives {
  readonly label: string
  readonly first: FactReading
  readonly readings: readonly FactReading[]
}

/** Alternatives are one request, which one of them meets: `boxing or yakuza`. */
function oneOfEach(requests: readonly FactReading[]): readonly Alternatives[] {
  return requests.flatMap((first) => {
    if (first.either === undefined) return [{ label: first.label, first, readings: [first] }]
    const readings = requests.filter(({ either }) => either === first.either)
    if (readings[0] !== first) return []
    return [{ label: readings.map(({ label }) => label).join(' or '), first, readings }]
  })
}

type Group = readonly [Alternatives, ...Alternatives[]]
const makerKinds = new Set(['studio', 'person'])

/** Makers that the same words name are one request: `by the makers of X` is met by its studio or by one of its people. */
function ofTheSameWords(requests: readonly Alternatives[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const request of requests) {
    const { kind, begin, end } = request.first
    const words = makerKinds.has(kind) ? `${begin} ${end} ${request.label}` : `${groups.size}`
    const group = groups.get(words)
    groups.set(words, group === undefined ? [request] : [...group, request])
  }
  return [...groups.values()]
}

function requestOf(facts: DatasetFacts, group: Group): PlannedRequest {
  const [{ first }] = group
  return {
    anyOf: group.map((alternatives) => alternativesOf(facts, alternatives)),
    confidence: first.confidence,
    group: singleKinds.indexOf(first.kind) + 1,
    // Of `old` and `80s` the surer years: the vaguer words mean the same.
    surestOnly: first.kind === 'years',
  }
}

function alternativesOf(
  facts: DatasetFacts,
  { first, readings }: Alternatives,
): PlannedAlternatives {
  const countsByRarity = first.kind === 'topic' && first.isSubject === true
  return {
    facts: readings.map((reading) => plannedFact(facts, reading)),
    weight: weightOf(first.kind, countsByRarity),
    countsByRarity,
  }
}

/** A named person counts most, and a manner less than a subject. */
function weightOf(kind: Fact['kind'], isSubject: boolean): number {
  const { requests } = constants()
  if (kind === 'topic') return isSubject ? 1 : requests.manner
  return kind === 'person' ? requests.person : 1
}

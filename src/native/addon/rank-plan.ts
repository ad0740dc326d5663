/**
 * What one search requests of all rows, and how it is written for the core: one array of numbers in the order of the members
 * of native/core/rows/rank_plan.h, which says what each of them means.
 */

/** A list by its number in the index of rows, or rows that the index has no list of. */
export type PlannedRows = number | Uint32Array

export interface DegreeList {
  readonly rows: PlannedRows
  /** Of every row, or by the weight of each, 0 to 3. */
  readonly degree: number | readonly [number, number, number, number]
}

export interface PlannedBounds {
  readonly min: number
  readonly max: number
}

export const plannedUnits = [
  'episodes',
  'volumes',
  'chapters',
  'minutes',
  'episodeMinutes',
] as const

export type PlannedFact =
  | { readonly kind: 'listed'; readonly lists: readonly DegreeList[] }
  | {
      readonly kind: 'years'
      readonly from: number
      readonly to: number
      readonly near: readonly [number, number, number, number]
    }
  | {
      readonly kind: 'length'
      readonly unit: (typeof plannedUnits)[number]
      readonly bounds: PlannedBounds
      readonly isOfSeries: boolean
      readonly films: PlannedRows
      readonly filmBounds: PlannedBounds | undefined
      readonly sequels: PlannedRows
      readonly continuedShare: number
    }
  | {
      readonly kind: 'ramp'
      readonly column: 'popularity' | 'score'
      readonly low: number
      readonly high: number
      readonly isInverted: boolean
    }
  | {
      readonly kind: 'any'
      readonly lists: readonly DegreeList[]
      readonly count: number
      readonly bestShare: number
      readonly enough: number
    }
  | { readonly kind: 'all'; readonly lists: readonly DegreeList[]; readonly count: number }

export interface PlannedAlternatives {
  readonly facts: readonly PlannedFact[]
  readonly weight: number
  readonly countsByRarity: boolean
}

export interface PlannedRequest {
  readonly anyOf: readonly PlannedAlternatives[]
  readonly confidence: number
  readonly group: number
  readonly surestOnly: boolean
}

export interface RequestRules {
  readonly usualShare: number
  readonly leastWeight: number
  readonly rounding: number
}

export interface PlannedExclusion {
  readonly fact: PlannedFact
  readonly confidence: number
}

export interface PlannedExample {
  readonly row: number
  readonly year: number
  readonly recommendedCount: number
  readonly ignored: readonly number[]
  readonly cosines: Cosines | undefined
}

/** Of the texts of rows with those of one row. */
export interface Cosines {
  readonly rows: Uint32Array
  readonly cosines: Float32Array
}

export interface LikenessRules {
  readonly textShare: number
  readonly recommendedShare: number
  readonly recommendedWeight: number
  readonly eraWeight: number
  readonly eraYears: number
  readonly popularityWeight: number
  readonly maxPopularity: number
  readonly otherShare: number
}

export interface PlannedLikeness {
  readonly examples: readonly PlannedExample[]
  readonly leastShare: number
  readonly traitsShare: number
  readonly named: readonly number[]
  readonly namedValue: number
}

export interface PlannedTitle {
  readonly row: number
  readonly confidence: number
}

export interface ChoiceRules {
  readonly popularityWeight: number
  readonly brokenWeight: number
  readonly requestShare: number
  readonly deepestSequel: number
  readonly isTitle: number
  readonly maxNamed: number
}

/** What was read from a query. */
export interface FitPlan {
  readonly requestRules: RequestRules
  readonly requests: readonly PlannedRequest[]
  readonly exclusions: readonly PlannedExclusion[]
  readonly likenessRules: LikenessRules
  readonly alike: PlannedLikeness
  readonly unlike: PlannedLikeness
  readonly unwanted: readonly number[]
  readonly titles: readonly PlannedTitle[]
  readonly choiceRules: ChoiceRules
  readonly hasReferences: boolean
  readonly hasText: boolean
}

/** Which rows become candidates. */
export interface Choice {
  readonly by: 'likeness' | 'text' | 'all'
  /** At most so many, but for `more` and named rows. */
  readonly count: number
  /** Whether anything was read: otherwise those by text are all. */
  readonly hasFit: boolean
  /** What is left of the query to compare with texts. */
  readonly text: PlannedText
  readonly more: Uint32Array
}

/** Rows by similarity and by bm25 are fused by their reciprocal ranks, 1 / (`rankOffset` + rank). */
export interface PlannedText {
  /** Which an index of vectors found, the best first. */
  readonly similar: Uint32Array
  /** By their numbers in the index of rows, each once. */
  readonly stems: Uint32Array
  /** How many rows by bm25 are fused. */
  readonly depth: number
  readonly rankOffset: number
}

export interface LikestPlan {
  readonly likenessRules: LikenessRules
  readonly example: PlannedExample
  readonly count: number
  readonly withCompared: boolean
}

interface WeightedExample {
  readonly example: PlannedExample
  readonly weight: number
}

export interface TastePlan {
  readonly likenessRules: LikenessRules
  readonly liked: readonly WeightedExample[]
  readonly disliked: readonly WeightedExample[]
  readonly dislikedShare: number
}

export interface LikenessesPlan {
  readonly likenessRules: LikenessRules
  readonly examples: readonly PlannedExample[]
  readonly rows: readonly number[]
}

const factKinds: readonly PlannedFact['kind'][] = [
  'listed',
  'years',
  'length',
  'ramp',
  'any',
  'all',
]
const choices: readonly Choice['by'][] = ['likeness', 'text', 'all']

export function writeRankPlan(plan: FitPlan, choice: Choice): Float64Array {
  const numbers: number[] = []
  const { requestRules: rules, choiceRules } = plan
  numbers.push(rules.usualShare, rules.leastWeight, rules.rounding)
  writeList(numbers, plan.requests, writeRequest)
  writeList(numbers, plan.exclusions, (to, { fact, confidence }) => {
    writeFact(to, fact)
    to.push(confidence)
  })
  writeLikenessRules(numbers, plan.likenessRules)
  writeLikeness(numbers, plan.alike)
  writeLikeness(numbers, plan.unlike)
  writeNumbers(numbers, plan.unwanted)
  writeList(numbers, plan.titles, (to, { row, confidence }) => {
    to.push(row, confidence)
  })
  numbers.push(choiceRules.popularityWeight, choiceRules.brokenWeight)
  const { requestShare, deepestSequel, isTitle, maxNamed } = choiceRules
  numbers.push(requestShare, deepestSequel, isTitle, maxNamed)
  numbers.push(choices.indexOf(choice.by), choice.count)
  numbers.push(Number(plan.hasReferences), Number(plan.hasText), Number(choice.hasFit))
  const { similar, stems, depth, rankOffset } = choice.text
  writeNumbers(numbers, similar)
  writeNumbers(numbers, stems)
  numbers.push(depth, rankOffset)
  writeNumbers(numbers, choice.more)
  return Float64Array.from(numbers)
}

export function writeLikestPlan(plan: LikestPlan): Float64Array {
  const numbers: number[] = []
  writeLikenessRules(numbers, plan.likenessRules)
  writeExample(numbers, plan.example)
  numbers.push(plan.count, Number(plan.withCompared))
  return Float64Array.from(numbers)
}

export function writeTastePlan(plan: TastePlan): Float64Array {
  const numbers: number[] = []
  writeLikenessRules(numbers, plan.likenessRules)
  for (const works of [plan.liked, plan.disliked]) {
    writeList(numbers, works, (to, { example, weight }) => {
      writeExample(to, example)
      to.push(weight)
    })
  }
  numbers.push(plan.dislikedShare)
  return Float64Array.from(numbers)
}

export function writeLikenessesPlan(plan: LikenessesPlan): Float64Array {
  const numbers: number[] = []
  writeLikenessRules(numbers, plan.likenessRules)
  writeList(numbers, plan.examples, writeExample)
  writeNumbers(numbers, plan.rows)
  return Float64Array.from(numbers)
}

function writeList<T>(
  to: number[],
  list: readonly T[],
  write: (to: number[], member: T) => void,
): void {
  to.push(list.length)
  for (const member of list) write(to, member)
}

function writeNumbers(to: number[], list: readonly number[] | Uint32Array): void {
  to.push(list.length)
  for (const member of list) to.push(member)
}

function writeRows(to: number[], rows: PlannedRows): void {
  if (typeof rows === 'number') to.push(rows)
  else {
    to.push(-1)
    writeNumbers(to, rows)
  }
}

function writeLists(to: number[], lists: readonly DegreeList[]): void {
  writeList(to, lists, (_, { rows, degree }) => {
    writeRows(to, rows)
    if (typeof degree === 'number') to.push(0, degree, degree, degree, degree)
    else to.push(1, ...degree)
  })
}

const noBounds: PlannedBounds = { min: 0, max: 0 }

function writeBounds(to: number[], { min, max }: PlannedBounds): void {
  to.push(min, max)
}

function writeFact(to: number[], fact: PlannedFact): void {
  to.push(factKinds.indexOf(fact.kind))
  switch (fact.kind) {
    case 'listed':
      writeLists(to, fact.lists)
      return
    case 'years':
      to.push(fact.from, fact.to, ...fact.near)
      return
    case 'length':
      to.push(plannedUnits.indexOf(fact.unit))
      writeBounds(to, fact.bounds)
      to.push(Number(fact.isOfSeries))
      writeRows(to, fact.films)
      to.push(Number(fact.filmBounds !== undefined))
      writeBounds(to, fact.filmBounds ?? noBounds)
      writeRows(to, fact.sequels)
      to.push(fact.continuedShare)
      return
    case 'ramp':
      to.push(Number(fact.column === 'score'), fact.low, fact.high, Number(fact.isInverted))
      return
    case 'any':
      writeLists(to, fact.lists)
      to.push(fact.count, fact.bestShare, fact.enough)
      return
    case 'all':
      writeLists(to, fact.lists)
      to.push(fact.count)
  }
}

function writeRequest(to: number[], request: PlannedRequest): void {
  writeList(to, request.anyOf, (_, { facts, weight, countsByRarity }) => {
    writeList(to, facts, writeFact)
    to.push(weight, Number(countsByRarity))
  })
  to.push(request.confidence, request.group, Number(request.surestOnly))
}

function writeExample(to: number[], example: PlannedExample): void {
  to.push(example.row, example.year, example.recommendedCount)
  writeNumbers(to, example.ignored)
  const { rows, cosines } = example.cosines ?? { rows: [], cosines: [] }
  to.push(rows.length)
  for (let at = 0; at < rows.length; at += 1) to.push(rows[at] ?? 0, cosines[at] ?? 0)
}

function writeLikenessRules(to: number[], rules: LikenessRules): void {
  to.push(rules.textShare, rules.recommendedShare, rules.recommendedWeight)
  to.push(rules.eraWeight, rules.eraYears, rules.popularityWeight, rules.maxPopularity)
  to.push(rules.otherShare)
}

function writeLikeness(to: number[], likeness: PlannedLikeness): void {
  writeList(to, likeness.examples, writeExample)
  to.push(likeness.leastShare, likeness.traitsShare)
  writeNumbers(to, likeness.named)
  to.push(likeness.namedValue)
}

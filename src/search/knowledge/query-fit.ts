/** How well every work of a dataset fits the readings of a query: as the core computes it, and of the candidates. */
import { constants } from '../../base/constants/constants.js'
import type {
  ChoiceRules,
  Cosines,
  FitPlan,
  PlannedLikeness,
} from '../../native/addon/rank-plan.js'
import type { DatasetFacts } from '../facts/dataset-facts.js'
import { requestedFacts, requestRules } from '../facts/requested-facts.js'
import type { ContinuationOf } from '../reader/continuations.js'
import type { Interpretation, Reading } from '../reader/interpretation.js'
import type { ChosenRows } from '../../native/addon/row-index.js'
import { withoutUnfit } from './for-children.js'
import { franchiseRows } from './franchise-rows.js'
import { exampleOf, likenessRules } from './likeness.js'
import { withMakers } from './makers.js'
import type { OriginalNames } from './original-authors.js'
import { traitsToIgnore } from './traits-to-ignore.js'
import { titleRows, type TitleReading } from './title-fit.js'

/** What was read from a query. */
export interface QueryFit extends CandidateFit {
  /** 1 for works that stand for their franchise, one a row of the dataset. */
  readonly isMain: Uint8Array
  /** The row that each row of the dataset continues, -1 of a row that continues none. */
  readonly continued: Int32Array
  /** How likely the text describes how a story goes on. */
  readonly continuation: number
  /** The share of the query's telling words that its readings explain, of what the works have something of. */
  readonly explained: number
  /** Whether works are named as examples. */
  readonly hasReferences: boolean
  /** Whether a text is left to compare with texts. */
  readonly hasText: boolean
}

/** One value for each candidate, from 0 to 1 unless its comment says otherwise. */
interface CandidateFit {
  /** How nearly the whole query is a title of the work. */
  readonly titleScores: Float32Array
  /** How far the requested facts are fulfilled. */
  readonly requestScores: Float32Array
  /** How far what is excluded is there; 1 for works that the query names as examples, and for their franchises. */
  readonly exclusionScores: Float32Array
  /** How alike the work is to those that the query names, from 0; somewhat above 1 at most. */
  readonly likenessScores: Float32Array
  /** The requested facts one by one. */
  readonly requests: readonly RequestedFact[]
}

interface RequestedFact {
  /** What the query says, for people. */
  readonly label: string
  /** To which each candidate has it. */
  readonly degrees: Float32Array
}

/** What the core compares with every work, and what is made of its answer. */
export interface PlannedFit {
  readonly plan: FitPlan
  fitOf(ranked: Pick<ChosenRows, 'rows' | 'features' | 'known'>): QueryFit
}

export interface FitServices {
  readonly facts: DatasetFacts
  readonly continued: Int32Array
  readonly continuationOf: ContinuationOf
  /** Of the works that anime are made from; they are among the people of the facts, too. */
  readonly authors?: OriginalNames
}

type RowsReading = Extract<Reading, { readonly rows: readonly number[] }>
type OfKind<K> = RowsReading & { readonly kind: K }

/** @param cosines of texts with those of named works, by the row of the work, where they are known */
export function planFit(
  interpretation: Interpretation,
  services: FitServices,
  cosines?: ReadonlyMap<number, Cosines>,
): PlannedFit {
  const { facts, continued, continuationOf, authors = new Map() } = services
  const { text, isCross, explained } = interpretation
  const readings = withMakers(interpretation.readings, facts, authors)
  const rowsOf = <K extends RowsReading['kind']>(kind: K, among = readings) =>
    among.filter((reading): reading is OfKind<K> => reading.kind === kind)
  const [titles, refused] = partition(rowsOf('title'))
  const [likes, unlike] = partition(rowsOf('like'))
  const { part } = constants().titles
  // A query that is only a part of a title names the work.
  const isNamed = ({ confidence }: TitleReading) =>
    confidence > part || (readings.length === 1 && confidence === part)
  const titled = titles.filter(isNamed).flatMap(firstRow)
  const named = likes.flatMap(({ rows }) => rows)
  const unwanted = refused.flatMap(({ rows }) => rows)
  // Who names a work knows it, and wants another.
  const known = [...named, ...rowsOf('makers', interpretation.readings).flatMap(({ rows }) => rows)]
  const { requests, labels, exclusions } = requestedFacts(facts, {
    readings: withoutUnfit(readings),
  })
  const hasReferences = likes.length > 0
  const hasText = text !== '' || readings.length === 0
  const similar = (some: readonly RowsReading[], isCross = false) =>
    likenessToAll(facts, readings, some, isCross, cosines)
  return {
    plan: {
      ...{ requestRules: requestRules(), requests, exclusions },
      likenessRules: likenessRules(facts),
      alike:
        titled.length > 0 ? likenessToTitled(facts, titled) : { ...similar(likes, isCross), named },
      unlike: similar(unlike),
      unwanted: franchiseRows(facts, [...known, ...unwanted]),
      titles: titleRows(facts, titles, isNamed),
      ...{ choiceRules: choiceRules(), hasReferences, hasText },
    },
    fitOf: (ranked) => ({
      ...candidateFit(ranked, labels),
      isMain: facts.isMain,
      continued,
      continuation: continuationOf(text),
      explained: explained * ranked.known,
      ...{ hasReferences, hasText },
    }),
  }
}

/** The first works of the series of so many candidates are candidates, too, and so many that are named by their titles. */
const deepestSequel = 10
const maxNamed = 10

function choiceRules(): ChoiceRules {
  const { popularity, broken, request, isTitle } = constants().candidates
  return {
    ...{ isTitle, deepestSequel, maxNamed },
    popularityWeight: popularity,
    brokenWeight: broken,
    requestShare: request,
  }
}

const noLikeness: PlannedLikeness = {
  examples: [],
  leastShare: 0,
  traitsShare: 0,
  named: [],
  namedValue: 0,
}

/** Of a query that is compared as it is. */
export const nothingRead = (): FitPlan => ({
  requestRules: requestRules(),
  requests: [],
  exclusions: [],
  likenessRules: likenessRules({ tags: new Map() }),
  alike: noLikeness,
  unlike: noLikeness,
  unwanted: [],
  titles: [],
  choiceRules: choiceRules(),
  hasReferences: false,
  hasText: true,
})

type RankedFeatures = Pick<ChosenRows, 'rows' | 'features'>

const columnsOf =
  ({ rows, features }: RankedFeatures) =>
  (number: number) =>
    features.subarray(number * rows.length, (number + 1) * rows.length)

/** Of the text that was searched and each candidate. */
export const bm25Of = (ranked: RankedFeatures): Float32Array => columnsOf(ranked)(4)

function candidateFit(ranked: RankedFeatures, labels: readonly string[]): CandidateFit {
  const column = columnsOf(ranked)
  const requests = labels.map((label, at) => ({ label, degrees: column(5 + at) }))
  return {
    titleScores: column(0),
    requestScores: column(1),
    exclusionScores: column(2),
    likenessScores: column(3),
    requests,
  }
}

/** Readings that are wanted, and those that are excluded. */
const partition = <R extends RowsReading>(
  of: readonly R[],
): readonly [readonly R[], readonly R[]] => [
  of.filter(({ excluded }) => !excluded),
  of.filter(({ excluded }) => excluded),
]

/** Works that are like all that is named: the mean of their likeness to each, of a cross the least of it, too. */
function likenessToAll(
  facts: DatasetFacts,
  readings: readonly Reading[],
  likes: readonly RowsReading[],
  isCross: boolean,
  cosines: ReadonlyMap<number, Cosines> | undefined,
): PlannedLikeness {
  const ignored = traitsToIgnore(readings)
  const examples = likes
    .flatMap(firstRow)
    .map((row) => exampleOf(facts, row, cosines?.get(row), ignored))
  return { ...noLikeness, examples, leastShare: isCross ? constants().likeness.least : 0 }
}

/** Works that are like the titled one follow; nothing is more like it than itself. */
function likenessToTitled(facts: DatasetFacts, titled: readonly number[]): PlannedLikeness {
  const examples = titled.slice(0, 1).map((row) => exampleOf(facts, row))
  const { titled: share } = constants().likeness
  return { ...noLikeness, examples, traitsShare: share, named: titled, namedValue: share }
}

/** Of several works with the named title, the first counts. */
const firstRow = (reading: RowsReading) => reading.rows.slice(0, 1)

/** The rows of the works that a query names to say what it wants. */
export const exampleRows = ({ readings }: Pick<Interpretation, 'readings'>): readonly number[] =>
  readings.flatMap((reading) =>
    reading.kind === 'like' && !reading.excluded ? firstRow(reading) : [],
  )

/** How well every work of a dataset fits the readings of a query. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import { matchReadings, type RequestedFact } from '../facts/match-readings.js'
import type { SimilarWorks } from '../facts/similar-works.js'
import type { ContinuationOf } from '../reader/continuations.js'
import type { Interpretation, Reading } from '../reader/interpretation.js'
import { addShares } from '../../native/addon/row-passes.js'
import { nearTitle, partOfTitle } from '../../data/titles/similarity.js'
import { withoutUnfit } from './for-children.js'
import { franchiseRows } from './franchise-rows.js'
import { likenessTo } from './likeness.js'
import { withMakers } from './makers.js'
import type { OriginalNames } from './original-authors.js'
import { traitsToIgnore } from './traits-to-ignore.js'
import { titleFit, type TitleReading } from './title-fit.js'

/** One value a row of the dataset, 0 to 1 where no more is said. */
export interface QueryFit {
  /** How nearly the whole query is a title of the work. */
  readonly titleScores: Float32Array
  /** How far the requested facts are fulfilled. */
  readonly requestScores: Float32Array
  /** The requested facts one by one. */
  readonly requests: readonly RequestedFact[]
  /** How far what is excluded is there; 1 for works that the query names as examples, and for their franchises. */
  readonly exclusionScores: Float32Array
  /** How alike the work is to those that the query names, from 0; somewhat above 1 at most. */
  readonly likenessScores: Float32Array
  /** How well known the work is, -ln(rank / works); NaN where unknown. */
  readonly popularity: Float32Array
  /** 1 for works that stand for their franchise. */
  readonly isMain: Uint8Array
  /** The row that each row continues, -1 of a row that continues none. */
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

export interface FitServices {
  readonly facts: DatasetFacts
  readonly similarWorks: SimilarWorks
  readonly continued: Int32Array
  readonly continuationOf: ContinuationOf
  /** Of the works that anime are made from; they are among the people of the facts, too. */
  readonly authors?: OriginalNames
}

type RowsReading = Extract<Reading, { readonly rows: readonly number[] }>
type OfKind<K> = RowsReading & { readonly kind: K }

/** @param cosines of texts with those of named works, by the row of the work, where they are known */
export function fitOf(
  interpretation: Interpretation,
  services: FitServices,
  cosines?: ReadonlyMap<number, Float32Array>,
): QueryFit {
  const { facts, continued, continuationOf, authors = new Map() } = services
  const { text } = interpretation
  const explained = countedShare(interpretation)
  const readings = withMakers(interpretation.readings, facts, authors)
  const rowsOf = <K extends RowsReading['kind']>(kind: K, among = readings) =>
    among.filter((reading): reading is OfKind<K> => reading.kind === kind)
  const [titles, refused] = partition(rowsOf('title'))
  const unwanted = refused.flatMap(({ rows }) => rows)
  const matches = matchReadings(facts, { readings: withoutUnfit(readings) })
  const { requestScores, exclusionScores, requests } = matches
  const [likes, unlike] = partition(rowsOf('like'))
  // A query that is only a part of a title names the work.
  const isNamed = ({ confidence }: TitleReading) =>
    confidence > nearTitle || (readings.length === 1 && confidence >= partOfTitle)
  const titled = titles.filter(isNamed).flatMap(exampleOf)
  const named = likes.flatMap(({ rows }) => rows)
  // Who names a work knows it, and wants another.
  const known = [...named, ...rowsOf('makers', interpretation.readings).flatMap(({ rows }) => rows)]
  if (unlike.length > 0)
    keepMost(exclusionScores, similarFit(services, { readings }, unlike, [], cosines))
  for (const row of franchiseRows(facts, [...known, ...unwanted])) exclusionScores[row] = 1
  const requested = requests.length > 0 ? requestScores : undefined
  const ofRequests = { requestScores: requested, explained }
  return {
    titleScores: titleFit(facts, titles, isNamed, ofRequests),
    requestScores,
    requests,
    exclusionScores,
    likenessScores:
      titled.length > 0
        ? likeTitled(services, titled)
        : similarFit(services, { ...interpretation, readings }, likes, named, cosines),
    popularity: facts.popularity,
    isMain: facts.isMain,
    continued,
    continuation: continuationOf(text),
    explained: titled.length > 0 ? Math.max(explained, titleExplains) : explained * matches.known,
    hasReferences: likes.length > 0,
    hasText: text !== '' || readings.length === 0,
  }
}

/** A query that names a maker requests no other works, whatever else it contains: `clamp but not for little girls`. */
const makerExplains = 0.75
const makerKinds = new Set<Reading['kind']>(['person', 'studio'])

/** What the share of the words that the readings explain counts. */
function countedShare({ explained, readings, request = 0 }: Interpretation): number {
  const namesMaker = readings.some(({ kind, excluded }) => makerKinds.has(kind) && !excluded)
  return namesMaker ? Math.max(explained, makerExplains * request) : explained
}

/** Readings that are wanted, and those that are excluded. */
const partition = <R extends RowsReading>(
  of: readonly R[],
): readonly [readonly R[], readonly R[]] => [
  of.filter(({ excluded }) => !excluded),
  of.filter(({ excluded }) => excluded),
]

/** Then the words of a text say little, and works that are like the titled one follow. */
const titleExplains = 0.8
const likenessToTitled = 0.5

/** Who likes a work is not served by the third season of another. */
const otherShare = 0.8

/** Of `X meets Y`, so much counts how like a work is to the one that it is less like. */
const leastShare = 0.4

/** Works that are like all that is named: the mean of their likeness to each, of a cross the least of it, too. */
function similarFit(
  { facts, similarWorks }: FitServices,
  { readings, isCross = false }: Pick<Interpretation, 'readings' | 'isCross'>,
  likes: readonly RowsReading[],
  named: readonly number[],
  cosines: ReadonlyMap<number, Float32Array> | undefined,
): Float32Array {
  const fit = new Float32Array(facts.rowCount)
  const least = isCross ? new Float32Array(facts.rowCount).fill(Infinity) : undefined
  const ignored = traitsToIgnore(readings)
  const examples = likes.flatMap(exampleOf)
  if (examples.length === 0) return fit
  const counted = least ? leastShare : 0
  for (const row of examples) {
    const likeness = likenessTo(facts, similarWorks, row, cosines?.get(row), ignored)
    addLikeness(fit, likeness, (1 - counted) / examples.length, facts.isMain)
    if (least) keepLeast(least, likeness)
  }
  if (least) addLikeness(fit, least, counted, facts.isMain)
  for (const row of named) fit[row] = 0
  return fit
}

function likeTitled({ facts, similarWorks }: FitServices, titled: readonly number[]): Float32Array {
  const likeness = similarWorks.similarTo(titled.slice(0, 1))
  const fit = new Float32Array(facts.rowCount)
  addLikeness(fit, likeness, likenessToTitled, facts.isMain)
  // Nothing is more like it than itself.
  for (const row of titled) fit[row] = likenessToTitled
  return fit
}

/** Adds a share of the likeness; less of works that do not stand for their franchise. */
function addLikeness(
  sums: Float32Array,
  likeness: Float32Array,
  share: number,
  isMain: Uint8Array,
): void {
  addShares(sums, likeness, isMain, { share, otherShare: share * otherShare })
}

function keepMost(most: Float32Array, likeness: Float32Array): void {
  for (let row = 0; row < most.length; row += 1)
    most[row] = Math.min(1, Math.max(most[row] ?? 0, likeness[row] ?? 0))
}

function keepLeast(least: Float32Array, likeness: Float32Array): void {
  for (let row = 0; row < least.length; row += 1)
    least[row] = Math.min(least[row] ?? 0, likeness[row] ?? 0)
}

/** Of several works with the named title, the first counts. */
const exampleOf = (reading: RowsReading) => reading.rows.slice(0, 1)

/** The rows of the works that a query names to say what it wants. */
export const exampleRows = ({ readings }: Pick<Interpretation, 'readings'>): readonly number[] =>
  readings.flatMap((reading) =>
    reading.kind === 'like' && !reading.excluded ? exampleOf(reading) : [],
  )

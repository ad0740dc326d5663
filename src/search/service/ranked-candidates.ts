/** What ranked searches score: each query is read, and all that come together share one scan for their candidates. */
import type { Choice, Cosines, PlannedText } from '../../native/addon/rank-plan.js'
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import { rowsToCompare } from '../knowledge/rows-to-compare.js'
import {
  bm25Of,
  exampleRows,
  nothingRead,
  type PlannedFit,
  type QueryFit,
} from '../knowledge/query-fit.js'
import type { Language, Languages } from '../languages/languages.js'
import type { Interpretation, Span } from '../reader/interpretation.js'
import type { EntryFilter } from '../../data/catalogue/filter.js'
import { topHits } from '../../data/lexical/top-hits.js'
import {
  depthOf,
  type FirstStage,
  type SimilarRows,
  type VectorPhases,
} from '../ranking/first-stage.js'
import { rankOffset } from '../ranking/reciprocal-rank.js'
import { yieldToEventLoop } from '../../native/scheduling/yield-to-event-loop.js'
import { countRows, withoutRows, type RowMask } from '../../base/util/row-mask.js'
import type { RankedOptions } from './ranked-search.js'

export interface RankedQuery {
  readonly query: string
  /** Parts of the query that are read as text alone. */
  readonly ignore?: readonly Span[] | undefined
}

/** What a query says. */
interface InterpretedQuery {
  /** The text that is left to compare with texts; all of it where nothing is left. */
  readonly query: string
  /** Absent where nothing is read from queries. */
  readonly planned?: PlannedFit | undefined
  readonly interpretation?: Interpretation | undefined
  /** Undefined of an English query, and where the language is not certain. */
  readonly language?: Language | undefined
}

export interface Picked extends Pick<InterpretedQuery, 'query' | 'interpretation' | 'language'> {
  readonly fit?: QueryFit | undefined
  /** Light novels that are left out of the search although the query is their title. */
  readonly named: readonly number[]
  /** Ascending, so that entries with equal scores are ordered by row. */
  readonly rows: Uint32Array
  /** Of the query's text and each row; absent where there is no text. */
  readonly bm25?: Float32Array | undefined
  /** What is near the query's text, where it was compared for the rows. */
  readonly similar?: SimilarRows | undefined
}

export interface Candidates {
  /** In the order of the queries; an error for one that cannot be encoded. */
  readonly each: readonly ((() => Promise<Picked>) | Error)[]
  /** Of the shared scan; undefined where no vectors were compared. */
  readonly phases: VectorPhases | undefined
}

type CandidateOptions = Pick<RankedOptions, 'interpret' | 'candidates' | 'taste'>

export interface CandidatesServices {
  readonly catalogue: Pick<Catalogue, 'rowPasses' | 'stemsOf'>
  readonly firstStage: FirstStage
  /** Without it, every query is read as English. */
  readonly languages?: Languages | undefined
  /** Compares queries in other languages; `firstStage` where absent. */
  readonly otherStage?: FirstStage | undefined
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
}

/** Texts are compared with those of so many examples, a scan each; of others, tags and the like are enough. */
const maxCompared = 8

export function createCandidates({
  catalogue,
  firstStage,
  languages,
  otherStage = firstStage,
  knowledge,
}: CandidatesServices) {
  async function read(
    dataset: DatasetInfo,
    { query, ignore }: RankedQuery,
    { interpret = true }: CandidateOptions,
    { mask }: Scope,
    signal: AbortSignal | undefined,
  ): Promise<InterpretedQuery> {
    const known = await knowledge(dataset)
    const language = await languages?.languageOf(query, known)
    if (!interpret) return { query, language }
    const interpretation = (language ?? known).interpret(query, ignore)
    const { readings, unknownNames } = interpretation
    if (readings.length === 0) {
      const planned = known.planFit(interpretation)
      return { query, planned, language, ...(unknownNames && { interpretation }) }
    }
    const text = interpretation.text === '' ? query : interpretation.text
    const cosines = new Map<number, Cosines>()
    for (const row of [...new Set(exampleRows(interpretation))].slice(0, maxCompared)) {
      const among = await rowsToCompare(known, row, mask, signal)
      cosines.set(row, await firstStage.neighbours({ dataset, row, mask: among, signal }))
    }
    const planned = known.planFit(interpretation, cosines)
    return { query: text, planned, interpretation, language }
  }

  /** Undefined where works like those that are named are too few. */
  async function choose(
    { name }: DatasetInfo,
    { query, planned, interpretation, language }: InterpretedQuery,
    { by, count, similar = noRows, more = noRows }: WayToChoose,
    { mask, maskWithNovels: namedMask }: Scope,
    signal: AbortSignal | undefined,
  ): Promise<Picked | undefined> {
    const stems = catalogue.stemsOf(name, query)
    const text: PlannedText = { similar, stems, depth: depthOf(count), rankOffset }
    const choice: Choice = { by, count, text, more, hasFit: planned !== undefined }
    const plan = planned?.plan ?? nothingRead()
    const options = { mask, namedMask, signal }
    const chosen = await catalogue.rowPasses(name).rank(plan, choice, options)
    if (!chosen.areChosen) return undefined
    const { rows, named } = chosen
    const [fit, bm25] = [planned?.fitOf(chosen), bm25Of(chosen)]
    return { query, interpretation, language, rows, bm25, named: [...named], fit }
  }

  const stageOf = ({ language }: InterpretedQuery) =>
    language === undefined ? firstStage : otherStage

  return async function candidatesOf(
    dataset: DatasetInfo,
    options: CandidateOptions,
    queries: readonly RankedQuery[],
    scope: Scope,
    signal?: AbortSignal,
  ): Promise<Candidates> {
    const { taste } = options
    const suiting = taste === undefined ? [] : suitingRows(taste, options.candidates, scope)
    const [first] = queries
    if (first?.query === '') {
      const rows = Uint32Array.from(suiting).sort()
      return { each: [() => Promise.resolve({ query: '', rows, named: [] })], phases: undefined }
    }
    const chosen = async (reading: InterpretedQuery, choice: WayToChoose) => {
      const picked = await choose(dataset, reading, choice, scope, signal)
      const { query, language } = reading
      return picked ?? { query, language, rows: noRows, named: [] }
    }
    const readings: InterpretedQuery[] = []
    for (const each of queries) {
      if (readings.length > 0) await yieldToEventLoop(signal)
      readings.push(await read(dataset, each, options, scope, signal))
    }
    if (options.candidates === 'all') {
      const choice = { by: 'all', count: 0 } as const
      const each = readings.map((reading) => () => chosen(reading, choice))
      return { each, phases: undefined }
    }
    const count = Math.min(options.candidates, scope.count)
    const { mask } = scope
    // Where a query names a work, its text counts nothing: works like that one are enough, where there are so many.
    const alike = new Map<InterpretedQuery, Picked>()
    for (const reading of readings) {
      if (reading.planned?.plan.hasReferences !== true) continue
      const picked = await choose(dataset, reading, { by: 'likeness', count }, scope, signal)
      if (picked !== undefined) alike.set(reading, picked)
    }
    const texts = readings.filter((reading) => !alike.has(reading))
    let phases: VectorPhases | undefined
    const foundFor = new Map<InterpretedQuery, SimilarRows | Error | undefined>()
    for (const stage of new Set([firstStage, otherStage])) {
      const some = texts.filter((reading) => stageOf(reading) === stage)
      if (some.length === 0) continue
      const found = await stage.similarToEach({
        dataset,
        queries: some.map(({ query }) => query),
        count,
        mask,
        signal,
        onPhases: (reported) => (phases = reported),
      })
      some.forEach((reading, i) => foundFor.set(reading, found[i]))
    }
    const each = readings.map((reading) => {
      const picked = alike.get(reading)
      if (picked !== undefined) return () => Promise.resolve(picked)
      const found = foundFor.get(reading)
      if (found === undefined || found instanceof Error) return found ?? new Error('no candidates')
      return async () => {
        const more = Uint32Array.from(suiting)
        const { rows: similar } = found
        return { ...(await chosen(reading, { by: 'text', count, similar, more })), similar: found }
      }
    })
    return { each, phases }
  }
}

const noRows = new Uint32Array(0)

interface WayToChoose extends Pick<Choice, 'by' | 'count'> {
  readonly similar?: Uint32Array
  readonly more?: Uint32Array
}

/** The rows that suit a taste best, which no text needs to find. */
const suitingRows = (
  taste: Float32Array,
  candidates: RankedOptions['candidates'],
  { mask, count }: Scope,
): readonly number[] =>
  topHits(taste, candidates === 'all' ? count : Math.min(candidates, count), {
    above: 0,
    mask,
  }).map(({ row }) => row)

const novelType = 'light_novel'

/** The rows of a dataset that are searched. */
export interface Scope {
  readonly count: number
  /** Undefined if all rows are searched. */
  readonly mask: RowMask | undefined
  /** The same with light novels. */
  readonly maskWithNovels: RowMask | undefined
}

export function scopeOf(
  catalogue: Pick<Catalogue, 'mask'>,
  { name, rows: rowCount }: DatasetInfo,
  { filter, includeLightNovels }: RankedOptions,
  excludedRows: readonly number[],
): Scope {
  // A filter that names them wants them.
  const withNovels = includeLightNovels || filter?.types?.includes(novelType) === true
  const novels = withNovels ? {} : { withoutTypes: [novelType] }
  const maskOf = (some: EntryFilter) => {
    const whole = catalogue.mask(name, some)
    return excludedRows.length === 0 ? whole : withoutRows(whole, rowCount, excludedRows)
  }
  const mask = maskOf({ ...filter, ...novels })
  const maskWithNovels = withNovels ? mask : maskOf({ ...filter })
  return { count: mask === undefined ? rowCount : countRows(mask), mask, maskWithNovels }
}

/** What ranked searches score: each query is read, and all that come together share one scan for their candidates. */
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import { candidateRows } from '../knowledge/candidate-rows.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import { exampleRows, type QueryFit } from '../knowledge/query-fit.js'
import type { Language, Languages } from '../languages/languages.js'
import type { Interpretation, Span } from '../reader/interpretation.js'
import type { EntryFilter } from '../../data/catalogue/filter.js'
import { topHits } from '../../data/lexical/top-hits.js'
import type { FindCandidates, FirstStage, VectorPhases } from '../ranking/first-stage.js'
import { yieldToEventLoop } from '../../native/scheduling/yield-to-event-loop.js'
import { countRows, passes, rowsOf, withoutRows, type RowMask } from '../../base/util/row-mask.js'
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
  readonly fit?: QueryFit | undefined
  readonly interpretation?: Interpretation | undefined
  /** Undefined of an English query, and where the language is not certain. */
  readonly language?: Language | undefined
}

export interface Picked extends InterpretedQuery {
  /** Light novels that are left out of the search although the query is their title. */
  readonly named: readonly number[]
  /** Ascending, so that entries with equal scores are ordered by row. */
  readonly rows: Uint32Array
  /** Of the query's text, where it was compared for the rows. */
  readonly vector?: Float32Array | undefined
}

export interface Candidates {
  /** In the order of the queries; an error for one that cannot be encoded. */
  readonly each: readonly ((() => Promise<Picked>) | Error)[]
  /** Of the shared scan; undefined where no vectors were compared. */
  readonly phases: VectorPhases | undefined
}

type CandidateOptions = Pick<RankedOptions, 'interpret' | 'candidates' | 'taste'>

export interface CandidatesServices {
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
      const fit = known.fit(interpretation)
      return { query, fit, language, ...(unknownNames && { interpretation }) }
    }
    const text = interpretation.text === '' ? query : interpretation.text
    const cosines = new Map<number, Float32Array>()
    for (const row of [...new Set(exampleRows(interpretation))].slice(0, maxCompared)) {
      const among = known.rowsToCompare(row, mask)
      cosines.set(row, await firstStage.neighbours({ dataset, row, mask: among, signal }))
    }
    return { query: text, fit: known.fit(interpretation, cosines), interpretation, language }
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
    const readings: InterpretedQuery[] = []
    for (const each of queries) {
      if (readings.length > 0) await yieldToEventLoop(signal)
      readings.push(await read(dataset, each, options, scope, signal))
    }
    if (options.candidates === 'all') {
      const rows = scope.rows()
      const each = readings.map((reading) => () => Promise.resolve(withNamed(reading, rows, scope)))
      return { each, phases: undefined }
    }
    const count = Math.min(options.candidates, scope.count)
    const { mask } = scope
    const likes = readings.map(({ fit }) => fit && rowsLike(fit, count, mask))
    const texts = readings.filter((_, i) => likes[i] === undefined)
    let phases: VectorPhases | undefined
    const foundFor = new Map<InterpretedQuery, FindCandidates | Error | undefined>()
    for (const stage of new Set([firstStage, otherStage])) {
      const some = texts.filter((reading) => stageOf(reading) === stage)
      if (some.length === 0) continue
      const found = await stage.candidatesOfEach({
        dataset,
        queries: some.map(({ query }) => query),
        count,
        mask,
        signal,
        onPhases: (reported) => (phases = reported),
      })
      some.forEach((reading, i) => foundFor.set(reading, found[i]))
    }
    const each = readings.map((reading, i) => {
      const rows = likes[i]
      if (rows !== undefined) return () => Promise.resolve(withNamed(reading, rows, scope))
      const find = foundFor.get(reading)
      if (find === undefined || find instanceof Error) return find ?? new Error('no candidates')
      return async () => {
        const { rows: byText, vector } = await find()
        const rows = merged(reading, byText, count, mask)
        const all = suiting.length === 0 ? rows : Uint32Array.from(new Set([...rows, ...suiting]))
        return { ...withNamed(reading, all.sort(), scope), vector }
      }
    })
    return { each, phases }
  }
}

/** Where a query names a work, its text counts nothing: works like that one are enough, where there are so many. */
function rowsLike(
  fit: QueryFit,
  count: number,
  mask: RowMask | undefined,
): Uint32Array | undefined {
  if (!fit.hasReferences) return undefined
  const rows = candidateRows(fit, count, mask)
  return rows.length < count ? undefined : Uint32Array.from(rows).sort()
}

/** At most half of the candidates come from what is read from the query, and at most half are first works. */
function merged(
  { fit }: InterpretedQuery,
  byText: Uint32Array,
  count: number,
  mask: RowMask | undefined,
): Uint32Array {
  const byFit = fit === undefined ? [] : candidateRows(fit, Math.floor(count / 2), mask)
  const rows = [...new Set([...byFit, ...byText])].slice(0, count)
  const best = [...byFit.slice(0, deepestSequel), ...byText.subarray(0, deepestSequel)]
  const firsts =
    fit === undefined
      ? []
      : firstsOf(best, new Set(rows), fit, mask).slice(0, Math.floor(count / 2))
  const others = rows.slice(0, count - firsts.length)
  return Uint32Array.from([...others, ...firsts]).sort()
}

/** The first works of the series of so many candidates are candidates, too. */
const deepestSequel = 10

function firstsOf(
  rows: readonly number[],
  known: ReadonlySet<number>,
  { continued }: QueryFit,
  mask: RowMask | undefined,
): readonly number[] {
  const firsts = rows.map((row) => continued[row] ?? -1).filter((row) => row >= 0)
  return [...new Set(firsts)].filter(
    (row) => !known.has(row) && (mask === undefined || passes(mask, row)),
  )
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

/** So nearly a query is the title of a work that it means nothing else. */
const isTitle = 0.97
const maxNamed = 10

/** Adds light novels that the query names by their title, although the search leaves novels out. */
function withNamed(
  reading: InterpretedQuery,
  rows: Uint32Array,
  { mask, maskWithNovels }: Scope,
): Picked {
  const { fit } = reading
  if (fit === undefined || mask === maskWithNovels) return { ...reading, rows, named: [] }
  const named = topHits(fit.titleScores, maxNamed, { above: isTitle, mask: maskWithNovels })
    .map(({ row }) => row)
    .filter((row) => mask !== undefined && !passes(mask, row))
  return { ...reading, rows: Uint32Array.from(new Set([...rows, ...named])).sort(), named }
}

const novelType = 'light_novel'

/** The rows of a dataset that are searched. */
export interface Scope {
  readonly count: number
  /** Ascending. Computed on each call, which is slow for large datasets. */
  readonly rows: () => Uint32Array
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
  if (mask !== undefined)
    return { count: countRows(mask), rows: () => rowsOf(mask), mask, maskWithNovels }
  const rows = () => new Uint32Array(rowCount).map((_, row) => row)
  return { count: rowCount, rows, mask, maskWithNovels }
}

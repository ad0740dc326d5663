/** Search in two stages: query → candidates → ranker → the best entries with the texts that answer. */
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import { countRows, rowsOf, withoutRows, type RowMask } from '../util/row-mask.js'
import { topHits } from '../lexical/top-hits.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.js'
import type { FirstStage } from '../ranking/first-stage.js'
import type { RankedRows } from '../ranking/ranker.js'
import type { Rankers } from '../ranking/rankers.js'
import { listNotes, type Listed, type UserLists } from '../anilist/user-lists.js'
import { toMicroseconds } from '../util/microseconds.js'
import type { RankedQuery, RankedResult, RankedSearchService } from './ranked-search.js'

export interface RankedServices {
  readonly catalogue: Pick<Catalogue, 'dataset' | 'entry' | 'text' | 'mask'>
  readonly firstStage: FirstStage
  readonly rankers: Rankers
  /** Of the user whose token is set; nobody's where absent. */
  readonly lists?: Pick<UserLists, 'lookUp'> | undefined
}

export function createRankedSearch({
  catalogue,
  firstStage,
  rankers,
  lists,
}: RankedServices): RankedSearchService {
  async function pickRows(
    dataset: DatasetInfo,
    { query, candidates }: RankedQuery,
    scope: Scope,
    signal: AbortSignal | undefined,
  ): Promise<Uint32Array> {
    if (candidates === 'all') return scope.rows()
    const count = Math.min(candidates, scope.count)
    const { mask } = scope
    // In the order of the rows, by which entries of the same score stand.
    return (await firstStage.candidates({ dataset, query, count, mask, signal })).sort()
  }

  return {
    async ranked(asked, signal) {
      const begun = performance.now()
      const dataset = catalogue.dataset(asked.dataset)
      if (dataset === undefined) throw new DatasetMissingError(asked.dataset)
      const listing = lists?.lookUp(dataset.name)
      const left = asked.excludeListed ? (await listing)?.statuses.keys() : undefined
      const scope = scopeOf(catalogue, dataset, asked, left)
      return rankers.use(asked.model, asked.device, async (ranker, warnings) => {
        signal?.throwIfAborted()
        const { query, batchSize } = asked
        const loaded = performance.now()
        const rows = await pickRows(dataset, asked, scope, signal)
        await yieldToEventLoop()
        const picked = performance.now()
        const ranking = await ranker.rank({ dataset, query, rows, batchSize, signal })
        await yieldToEventLoop()
        signal?.throwIfAborted()
        const ranked = performance.now()
        const listed = await listing
        const results = resultsOf(catalogue, dataset, rows, ranking, asked.numResults, listed)
        const done = performance.now()
        return {
          results,
          deviceUsed: ranker.device,
          candidatesScored: rows.length,
          entriesTotal: scope.count,
          warnings: [...warnings, ...ranking.warnings, ...listNotes(listed, asked.excludeListed)],
          timings: {
            rankMs: toMicroseconds(picked - loaded),
            rerankMs: toMicroseconds(ranked - picked),
            hydrateMs: toMicroseconds(done - ranked),
            totalMs: toMicroseconds(done - begun),
          },
        }
      })
    },
  }
}

function resultsOf(
  catalogue: RankedServices['catalogue'],
  { name, columns }: DatasetInfo,
  rows: Uint32Array,
  { merits, columns: bestColumns, scoreOf }: RankedRows,
  count: number,
  listed: Listed | undefined,
): RankedResult[] {
  const textOf = (row: number, best: number): string => {
    // Where nothing speaks for any of its texts, the first will do.
    for (const column of [best, ...columns.keys()]) {
      const text = catalogue.text(name, row, column)
      if (text !== null) return text
    }
    return ''
  }
  return topHits(merits, count).map(({ row: position, score: merit }) => {
    const row = rows[position] ?? 0
    const { id, title } = catalogue.entry(name, row)
    const synopsis = textOf(row, bestColumns[position] ?? 0)
    const status = listed && { listStatus: listed.statuses.get(row) ?? null }
    return { id, title, score: scoreOf(merit), synopsis, ...status }
  })
}

/** The rows of a dataset that are searched. */
interface Scope {
  readonly count: number
  /** Ascending; made when they are asked for, which takes a while where there are many. */
  readonly rows: () => Uint32Array
  /** Undefined where all are. */
  readonly mask: RowMask | undefined
}

function scopeOf(
  catalogue: RankedServices['catalogue'],
  { name, rows: rowCount }: DatasetInfo,
  { filter, includeLightNovels }: RankedQuery,
  left: Iterable<number> | undefined,
): Scope {
  const novels = includeLightNovels ? {} : { withoutTypes: ['light_novel'] }
  const whole = catalogue.mask(name, { ...filter, ...novels })
  const mask = left === undefined ? whole : withoutRows(whole, rowCount, left)
  if (mask !== undefined) return { count: countRows(mask), rows: () => rowsOf(mask), mask }
  return { count: rowCount, rows: () => new Uint32Array(rowCount).map((_, row) => row), mask }
}

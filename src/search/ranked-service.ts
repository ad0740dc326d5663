/** Search in two stages: query → candidates → ranker → the best entries with the texts that answer. */
import type { Catalogue, DatasetInfo, DatasetName } from '../catalogue/catalogue.js'
import { maskOf, type RowMask } from '../catalogue/row-mask.js'
import { topHits } from '../catalogue/top-hits.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import type { FirstStage } from '../ranking/first-stage.js'
import type { RankedRows } from '../ranking/ranker.js'
import type { Rankers } from '../ranking/rankers.js'
import { toMicroseconds } from './microseconds.js'
import type { RankedQuery, RankedResult, RankedSearchService } from './ranked-search.js'

export interface RankedServices {
  readonly catalogue: Pick<Catalogue, 'dataset' | 'entry' | 'text' | 'rowsOfType'>
  readonly firstStage: FirstStage
  readonly rankers: Rankers
}

export function createRankedSearch({
  catalogue,
  firstStage,
  rankers,
}: RankedServices): RankedSearchService {
  const scopeOf = rememberScopes(catalogue)

  async function pickRows(
    dataset: DatasetInfo,
    { query, candidates }: RankedQuery,
    scope: Scope,
    signal: AbortSignal | undefined,
  ): Promise<Uint32Array> {
    if (candidates === 'all') return scope.rows
    const count = Math.min(candidates, scope.rows.length)
    const { mask } = scope
    // In the order of the rows, by which entries of the same score stand.
    return (await firstStage.candidates({ dataset, query, count, mask, signal })).sort()
  }

  return {
    async ranked(asked, signal) {
      const begun = performance.now()
      const dataset = catalogue.dataset(asked.dataset)
      if (dataset === undefined) throw new DatasetMissingError(asked.dataset)
      const scope = scopeOf(dataset, asked.includeLightNovels)
      return rankers.use(asked.model, asked.device, async (ranker, warnings) => {
        signal?.throwIfAborted()
        const { query, batchSize } = asked
        const loaded = performance.now()
        const rows = await pickRows(dataset, asked, scope, signal)
        const picked = performance.now()
        const ranking = await ranker.rank({ dataset, query, rows, batchSize, signal })
        const ranked = performance.now()
        const results = resultsOf(catalogue, dataset, rows, ranking, asked.numResults)
        const done = performance.now()
        return {
          results,
          deviceUsed: ranker.device,
          candidatesScored: rows.length,
          entriesTotal: scope.rows.length,
          warnings: [...warnings, ...ranking.warnings],
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
    return { id, title, score: scoreOf(merit), synopsis }
  })
}

/** The rows of a dataset that are searched. */
interface Scope {
  /** Ascending. */
  readonly rows: Uint32Array
  /** Undefined where all are. */
  readonly mask: RowMask | undefined
}

/** A catalogue does not change while it is open. Searches with the same mask share a sweep. */
function rememberScopes(catalogue: RankedServices['catalogue']) {
  const scopes = new Map<DatasetName, { readonly all: Scope; readonly withoutNovels: Scope }>()

  function measure({ name, rows: rowCount }: DatasetInfo) {
    const all = { rows: Uint32Array.from({ length: rowCount }, (_, row) => row), mask: undefined }
    const novels = new Set(catalogue.rowsOfType(name, 'light_novel'))
    if (novels.size === 0) return { all, withoutNovels: all }
    const rows = all.rows.filter((row) => !novels.has(row))
    return { all, withoutNovels: { rows, mask: maskOf(rowCount, rows) } }
  }

  return (dataset: DatasetInfo, includeLightNovels: boolean): Scope => {
    const known = scopes.get(dataset.name) ?? measure(dataset)
    scopes.set(dataset.name, known)
    return includeLightNovels ? known.all : known.withoutNovels
  }
}

/** Search in two stages: query → candidates → ranker → the best entries, each with its best text. */
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import { countRows, rowsOf, withoutRows } from '../util/row-mask.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import type { FirstStage, VectorPhases } from '../ranking/first-stage.js'
import type { MatchedWords } from '../ranking/matched-words.js'
import type { Rankers } from '../ranking/rankers.js'
import { listNotes, type UserLists } from '../anilist/user-lists.js'
import { toMicroseconds } from '../util/microseconds.js'
import { sliceOf } from './pagination.js'
import { explain, groupByFranchise, orderedHits, resultsOf } from './ranked-results.js'
import type { RankedQuery, RankedSearchService } from './ranked-search.js'
import { createReadQuery, type Scope } from './read-query.js'
import { unmatchedValues } from './unmatched-values.js'

export interface RankedServices {
  readonly catalogue: Pick<Catalogue, 'dataset' | 'entry' | 'text' | 'mask'>
  readonly firstStage: FirstStage
  readonly rankers: Rankers
  /** What is known of a dataset beside its texts. */
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
  readonly matchedWords: MatchedWords
  /** The lists of the AniList user; absent without an access token. */
  readonly lists?: Pick<UserLists, 'lookUp'> | undefined
}

export function createRankedSearch({
  catalogue,
  firstStage,
  rankers,
  knowledge,
  matchedWords,
  lists,
}: RankedServices): RankedSearchService {
  const reader = createReadQuery({ firstStage, knowledge })

  return {
    async ranked(request, signal) {
      const begun = performance.now()
      const dataset = catalogue.dataset(request.dataset)
      if (dataset === undefined) throw new DatasetMissingError(request.dataset)
      const pendingLists = lists?.lookUp(dataset.name)
      const excludedRows = request.excludeListed ? (await pendingLists)?.statuses.keys() : undefined
      const scope = scopeOf(catalogue, dataset, request, excludedRows)
      return rankers.use(request.model, request.device, async (ranker, warnings) => {
        signal?.throwIfAborted()
        const { batchSize, candidates } = request
        const loaded = performance.now()
        const { query, fit, interpretation } = await reader.read(dataset, request, scope, signal)
        let vectorPhases: VectorPhases | undefined
        const onPhases = (phases: VectorPhases) => (vectorPhases = phases)
        const rows = await reader.pickRows(
          dataset,
          { query, candidates },
          fit,
          scope,
          signal,
          onPhases,
        )
        await yieldToEventLoop()
        const picked = performance.now()
        const ranking = await ranker.rank({ dataset, query, fit, rows, batchSize, signal })
        await yieldToEventLoop()
        signal?.throwIfAborted()
        const ranked = performance.now()
        const userLists = await pendingLists
        const ordered = orderedHits(rows, ranking)
        const hits =
          request.group === undefined
            ? ordered
            : groupByFranchise(ordered, (await knowledge(dataset)).facts, scope.mask)
        const { pagination, begin, end } = sliceOf(
          request.page ?? 1,
          request.numResults,
          hits.length,
        )
        const shown = hits.slice(begin, end)
        const plain = resultsOf(catalogue, dataset, shown, ranking, userLists)
        const texts = plain.map(({ synopsis }) => synopsis)
        const reasons = request.explain
          ? await explain({ query, hits: shown, texts }, ranking, fit, matchedWords, signal)
          : []
        const results = plain.map((result, rank) => {
          const reason = reasons[rank]
          return reason === undefined ? result : { ...result, explain: reason }
        })
        const { filter = {} } = request
        const { count } = scope
        const unmatched = await unmatchedValues({ dataset, filter, count }, knowledge)
        const done = performance.now()
        return {
          results,
          pagination,
          deviceUsed: ranker.device,
          ...(interpretation && { interpretation }),
          candidatesScored: rows.length,
          entriesTotal: scope.count,
          warnings: [
            ...warnings,
            ...ranking.warnings,
            ...listNotes(userLists, request.excludeListed),
            ...unmatched,
          ],
          timings: {
            ...timingsOf(picked - loaded, vectorPhases),
            rerankMs: toMicroseconds(ranked - picked),
            hydrateMs: toMicroseconds(done - ranked),
            totalMs: toMicroseconds(done - begun),
          },
        }
      })
    },
  }
}

/** The phases of the vectors, and what is left of the time that picking candidates took. */
function timingsOf(pickMs: number, phases: VectorPhases | undefined) {
  if (phases === undefined) return { rankMs: toMicroseconds(pickMs) }
  const { queueMs, tokenizeMs, inferMs, scanMs } = phases
  return {
    queueMs: toMicroseconds(queueMs),
    tokenizeMs: toMicroseconds(tokenizeMs),
    inferMs: toMicroseconds(inferMs),
    scanMs: toMicroseconds(scanMs),
    rankMs: toMicroseconds(Math.max(0, pickMs - queueMs - tokenizeMs - inferMs - scanMs)),
  }
}

function scopeOf(
  catalogue: RankedServices['catalogue'],
  { name, rows: rowCount }: DatasetInfo,
  { filter, includeLightNovels }: RankedQuery,
  excludedRows: Iterable<number> | undefined,
): Scope {
  const novels = includeLightNovels ? {} : { withoutTypes: ['light_novel'] }
  const whole = catalogue.mask(name, { ...filter, ...novels })
  const mask = excludedRows === undefined ? whole : withoutRows(whole, rowCount, excludedRows)
  if (mask !== undefined) return { count: countRows(mask), rows: () => rowsOf(mask), mask }
  return { count: rowCount, rows: () => new Uint32Array(rowCount).map((_, row) => row), mask }
}

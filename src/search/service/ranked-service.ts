/** Search in two stages: query → candidates → ranker → the best entries, each with its best text. */
import { setMaxListeners } from 'node:events'
import { sortValues } from '../browse/entry-order.js'
import { countFacets } from '../browse/facets.js'
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import { popularityRanks } from '../../data/catalogue/popularity-rank.js'
import { DatasetMissingError, EncoderError } from '../../base/errors/index.js'
import { yieldToEventLoop } from '../../native/scheduling/yield-to-event-loop.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import type { FirstStage, VectorPhases } from '../ranking/first-stage.js'
import type { Languages } from '../languages/languages.js'
import type { MatchedWords } from '../ranking/matched-words.js'
import type { RankedRows, Ranker } from '../ranking/ranker.js'
import type { Rankers } from '../ranking/rankers.js'
import { byTaste, withTaste } from '../ranking/weigh-taste.js'
import { listNotes, type UserLists } from '../../data/anilist/user-lists.js'
import { toMicroseconds } from '../../base/util/microseconds.js'
import { onlyOne } from '../../base/util/only-one.js'
import { maskOf, withRows } from '../../base/util/row-mask.js'
import { inOrder } from './order-results.js'
import { sliceOf } from './pagination.js'
import { markWords } from './mark-words.js'
import { explain, groupByFranchise, orderedHits, resultsOf } from './ranked-results.js'
import type {
  RankedAnswer,
  RankedOptions,
  RankedResult,
  RankedSearchService,
} from './ranked-search.js'
import { createCandidates, scopeOf, type RankedQuery, type Picked } from './ranked-candidates.js'
import { describeLanguage, type OtherLanguages } from './other-languages.js'
import { toRemember } from './to-remember.js'
import { unmatchedValues } from './unmatched-values.js'

export interface RankedServices {
  readonly catalogue: Pick<
    Catalogue,
    'dataset' | 'entry' | 'text' | 'mask' | 'rowOfId' | 'rowPasses' | 'stemsOf'
  >
  readonly firstStage: FirstStage
  /** Reads queries in other languages; every query counts as English where absent. */
  readonly languages?: Languages | undefined
  /** What compares them, and what adds it where nothing does. */
  readonly otherLanguages?: OtherLanguages | undefined
  readonly rankers: Rankers
  /** The structured data of a dataset. */
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
  readonly matchedWords: MatchedWords
  /** The lists of the AniList user; absent without an access token. */
  readonly lists?: Pick<UserLists, 'lookUp'> | undefined
}

const byFit = { by: 'fit' }

/** While some share a scan, those before them are ranked and the next are read. */
const queriesAScan = 16

export function createRankedSearch({
  catalogue,
  firstStage,
  languages,
  otherLanguages,
  rankers,
  knowledge,
  matchedWords,
  lists,
}: RankedServices): RankedSearchService {
  const candidatesOf = createCandidates({
    catalogue,
    firstStage,
    languages,
    otherStage: otherLanguages?.firstStage,
    knowledge,
  })

  async function rankEach(
    options: RankedOptions,
    queries: readonly RankedQuery[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (RankedAnswer | Error)[]> {
    const begun = performance.now()
    const dataset = catalogue.dataset(options.dataset)
    if (dataset === undefined) throw new DatasetMissingError(options.dataset)
    // Each query listens; Node warns of more than ten.
    if (signal !== undefined && queries.length > 1) setMaxListeners(0, signal)
    const pendingLists = lists?.lookUp(dataset.name)
    const listed = options.excludeListed ? [...((await pendingLists)?.statuses.keys() ?? [])] : []
    const excludedRows = [...listed, ...rowsOfIds(catalogue, dataset, options.exclude)]
    const scope = scopeOf(catalogue, dataset, options, excludedRows)
    return rankers.use(options.model, options.device, async (ranker, rankerWarnings) => {
      signal?.throwIfAborted()
      const loaded = performance.now()
      const answer = async (
        pick: () => Promise<Picked>,
        phases: VectorPhases | undefined,
      ): Promise<RankedAnswer> => {
        const { batchSize } = options
        const { query, similar, bm25, fit, interpretation, rows, named, language } = await pick()
        await yieldToEventLoop(signal)
        const picked = performance.now()
        const isOther = language !== undefined
        const asking = { dataset, query, similar, bm25, fit, rows, batchSize, signal, isOther }
        const ranking = await rankRows(ranker, asking, options.taste)
        await yieldToEventLoop(signal)
        signal?.throwIfAborted()
        const ranked = performance.now()
        const userLists = await pendingLists
        const ordered = orderedHits(rows, ranking)
        const known = await knowledge(dataset)
        const { facts } = known
        const groups =
          options.group === undefined
            ? ordered
            : groupByFranchise(ordered, facts, withRows(scope.mask, named), fit)
        const { sort = byFit } = options
        const hits = inOrder(groups, sort, ranking, known)
        const valueOf = sort.by === 'fit' ? undefined : sortValues(sort, known)
        const { pagination, begin, end } = sliceOf(
          options.page ?? 1,
          options.numResults,
          hits.length,
        )
        const shown = hits.slice(begin, end)
        const rankOf = popularityRanks(facts.popularity)
        const plain = resultsOf(catalogue, dataset, shown, ranking, userLists, rankOf)
        const marked = await markWords(query, plain, options, matchedWords, signal)
        const words = marked.map((result) => result.words)
        const reasons = options.explain ? explain({ hits: shown, words }, ranking, fit) : []
        const results = plain.map((result, rank): RankedResult => {
          const [reason, matched] = [reasons[rank], marked[rank]?.matched]
          const sortedBy = valueOf?.(shown[rank]?.row ?? 0)
          return {
            ...result,
            matched,
            ...(reason && { explain: reason }),
            ...(sortedBy !== undefined && { sortedBy }),
          }
        })
        const { filter = {} } = options
        const { mask } = scope
        const unmatched = await unmatchedValues({ dataset, filter, mask }, knowledge)
        const done = performance.now()
        return {
          results,
          pagination,
          ...(options.facets && {
            facets: await countFacets(
              known,
              maskOf(
                facts.rowCount,
                hits.map(({ row }) => row),
              ),
              options.facets,
              signal,
            ),
          }),
          deviceUsed: ranker.device,
          ...(interpretation && { interpretation }),
          ...(ranking.nothingFits && { nothingFits: { remember: toRemember(interpretation) } }),
          ...(language && { language: describeLanguage(language, otherLanguages) }),
          candidatesScored: rows.length,
          entriesTotal: scope.count,
          warnings: [
            ...rankerWarnings,
            ...ranking.warnings,
            ...listNotes(userLists, options.excludeListed),
            ...unmatched,
          ],
          timings: {
            ...timingsOf(picked - loaded, phases),
            rerankMs: toMicroseconds(ranked - picked),
            hydrateMs: toMicroseconds(done - ranked),
            totalMs: toMicroseconds(done - begun),
          },
        }
      }

      const ranking: Promise<PromiseSettledResult<RankedAnswer>[]>[] = []
      try {
        for (let begin = 0; begin < queries.length; begin += queriesAScan) {
          const some = queries.slice(begin, begin + queriesAScan)
          const { each, phases } = await candidatesOf(dataset, options, some, scope, signal)
          const answers = each.map((one) =>
            one instanceof Error ? Promise.reject(one) : answer(one, phases),
          )
          ranking.push(Promise.allSettled(answers))
        }
      } finally {
        // They use the ranker.
        await Promise.all(ranking)
      }
      return settledOrThrow((await Promise.all(ranking)).flat())
    })
  }

  return {
    rankedEach: ({ queries, ...options }, signal) =>
      rankEach(
        options,
        queries.map((query) => ({ query })),
        signal,
      ),
    async ranked({ query, ignore, ...options }, signal) {
      return onlyOne(await rankEach(options, [{ query, ignore }], signal))
    },
  }
}

const rowsOfIds = (
  catalogue: Pick<Catalogue, 'rowOfId'>,
  { name }: DatasetInfo,
  ids: readonly number[] = [],
): readonly number[] => ids.flatMap((id) => catalogue.rowOfId(name, id) ?? [])

/** By the query, by somebody's taste, or by both. */
async function rankRows(
  ranker: Ranker,
  asking: Parameters<Ranker['rank']>[0],
  taste: Float32Array | undefined,
): Promise<RankedRows> {
  const { query, rows } = asking
  if (taste === undefined) return ranker.rank(asking)
  return query === '' ? byTaste(taste, rows) : withTaste(await ranker.rank(asking), taste, rows)
}

/** A text on which the model fails has its error; any other failure is that of all. */
function settledOrThrow<T>(settled: readonly PromiseSettledResult<T>[]): readonly (T | Error)[] {
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value
    const reason: unknown = one.reason
    if (reason instanceof EncoderError && reason.texts.length > 0) return reason
    throw reason
  })
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

/** One search over all datasets: each ranks its own, and their results are merged into one order. */
import { toMicroseconds } from '../../base/util/microseconds.js'
import type { Catalogue, DatasetName } from '../../data/catalogue/catalogue.js'
import { mergeFacets } from '../browse/merge-facets.js'
import { sliceOf } from './pagination.js'
import type {
  RankedAnswer,
  RankedQuery,
  RankedResult,
  RankedSearchService,
} from './ranked-search.js'

/** Ids are those of one dataset. */
type JoinedQuery = Omit<RankedQuery, 'dataset' | 'exclude' | 'taste'>

interface JoinedResult extends RankedResult {
  readonly dataset: DatasetName
}

interface JoinedAnswer extends RankedAnswer {
  readonly results: readonly JoinedResult[]
}

export type JoinedSearch = (query: JoinedQuery, signal?: AbortSignal) => Promise<JoinedAnswer>

export interface JoinedServices {
  readonly catalogue: Pick<Catalogue, 'datasets'>
  readonly ranked: Pick<RankedSearchService, 'ranked'>
}

export function createJoinedSearch({ catalogue, ranked }: JoinedServices): JoinedSearch {
  return async ({ page = 1, numResults, sort = { by: 'fit' }, ...options }, signal) => {
    const begun = performance.now()
    const found: (RankedAnswer & { readonly dataset: DatasetName })[] = []
    // One after the other: each uses all threads.
    for (const { name: dataset } of catalogue.datasets()) {
      const query = { ...options, dataset, sort, page: 1, numResults: page * numResults }
      found.push({ ...(await ranked.ranked(query, signal)), dataset })
    }
    const sign = sort.ascending === true ? 1 : -1
    const valueOf = ({ score, sortedBy }: RankedResult) => (sort.by === 'fit' ? score : sortedBy)
    const all = found
      .flatMap(({ dataset, results }) => results.map((result) => ({ ...result, dataset })))
      .sort((one, other) => {
        const [a = NaN, b = NaN] = [valueOf(one), valueOf(other)]
        if (Number.isNaN(a) || Number.isNaN(b))
          return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
        return sign * (a - b)
      })
    const sum = (of: (answer: RankedAnswer) => number) =>
      found.reduce((total, answer) => total + of(answer), 0)
    const total = sum(({ pagination }) => pagination.totalResults)
    const { pagination, begin, end } = sliceOf(page, numResults, total)
    const [best] = all
    const interpretation = found.find(({ dataset }) => dataset === best?.dataset)?.interpretation
    const facets = found.flatMap((answer) => answer.facets ?? [])
    const language = found.find((answer) => answer.language)?.language
    const nothingFits = found.every((answer) => answer.nothingFits) && found[0]?.nothingFits
    return {
      results: all.slice(begin, end),
      pagination,
      ...(options.facets && { facets: mergeFacets(facets) }),
      ...(interpretation && { interpretation }),
      ...(nothingFits && { nothingFits }),
      ...(language && { language }),
      deviceUsed: found[0]?.deviceUsed ?? 'cpu',
      candidatesScored: sum((answer) => answer.candidatesScored),
      entriesTotal: sum((answer) => answer.entriesTotal),
      warnings: [...new Set(found.flatMap(({ warnings }) => warnings))],
      timings: {
        rankMs: sum(({ timings }) => timings.rankMs),
        rerankMs: sum(({ timings }) => timings.rerankMs),
        hydrateMs: sum(({ timings }) => timings.hydrateMs),
        totalMs: toMicroseconds(performance.now() - begun),
      },
    }
  }
}

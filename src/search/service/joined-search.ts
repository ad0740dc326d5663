/** One search over all datasets: each ranks its own, and their results are merged into one order. */
import { ValidationError } from '../../base/errors/index.js'
import type { Catalogue, DatasetName } from '../../data/catalogue/catalogue.js'
import { mergeRanked } from './merge-ranked.js'
import type {
  RankedAnswer,
  RankedQuery,
  RankedResult,
  RankedSearchService,
} from './ranked-search.js'

/** Ids are those of one dataset. */
interface JoinedQuery extends Omit<RankedQuery, 'dataset' | 'exclude' | 'taste'> {
  /** All where absent. */
  readonly datasets?: readonly DatasetName[] | undefined
}

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
  return async ({ datasets, page = 1, numResults, sort = { by: 'fit' }, ...options }, signal) => {
    const begun = performance.now()
    const found: (JoinedAnswer & { readonly dataset: DatasetName })[] = []
    // One after the other: each uses all threads.
    for (const dataset of chosen(catalogue, datasets)) {
      const query = { ...options, dataset, sort, page: 1, numResults: page * numResults }
      const answer = await ranked.ranked(query, signal)
      const results = answer.results.map((result) => ({ ...result, dataset }))
      found.push({ ...answer, results, dataset })
    }
    const merging = { page, numResults, sort, facets: options.facets }
    const { best, interpretation: _, ...merged } = mergeRanked(found, merging, begun)
    const interpretation = found.find(({ dataset }) => dataset === best?.dataset)?.interpretation
    return { ...merged, ...(interpretation && { interpretation }) }
  }
}

/** @throws ValidationError for a dataset that is not there */
function chosen(
  catalogue: JoinedServices['catalogue'],
  datasets: JoinedQuery['datasets'],
): readonly DatasetName[] {
  const names = catalogue.datasets().map(({ name }) => name)
  if (datasets === undefined) return names
  const unknown = datasets.findIndex((name) => !names.includes(name))
  if (unknown >= 0) {
    const message = `expected ${names.join(' or ')}, received ${datasets[unknown]}`
    throw new ValidationError([{ path: `datasets.${unknown}`, message }])
  }
  return [...new Set(datasets)]
}

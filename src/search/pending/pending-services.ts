/** The searches of the main catalogue, and the same of each segment, merged into one order. */
import { mergeFacets } from '../browse/merge-facets.js'
import type { Browse } from '../browse/browse.js'
import type { EntryList, ListEntries, ListQuery } from '../service/list-entries.js'
import { inOneOrder, mergeRanked } from '../service/merge-ranked.js'
import { sliceOf } from '../service/pagination.js'
import type {
  RankedAnswer,
  RankedOptions,
  RankedResult,
  RankedSearchService,
} from '../service/ranked-search.js'

/** What searches a segment, with its own words, titles and facts. */
export interface SegmentServices {
  readonly hasDataset: (name: RankedOptions['dataset']) => boolean
  /** Whether it has the vectors that /search compares. */
  readonly isRanked: (name: RankedOptions['dataset']) => boolean
  readonly ranked: RankedSearchService
  readonly listEntries: ListEntries
  readonly browse: Browse
}

type CurrentSegments = () => readonly SegmentServices[]

const byFit = { by: 'fit' }

export function withSegmentsRanked(
  main: RankedSearchService,
  current: CurrentSegments,
): RankedSearchService {
  const segmentsOf = ({ dataset, taste }: RankedOptions) =>
    // A taste is one of the main catalogue's rows.
    taste === undefined ? current().filter((segment) => segment.isRanked(dataset)) : []
  const wholeOf = <Options extends RankedOptions>(options: Options): Options => ({
    ...options,
    page: 1,
    numResults: (options.page ?? 1) * options.numResults,
  })
  return {
    async ranked(query, signal) {
      const segments = segmentsOf(query)
      if (segments.length === 0) return main.ranked(query, signal)
      const begun = performance.now()
      const answers: RankedAnswer[] = []
      for (const one of [main, ...segments.map(({ ranked }) => ranked)])
        answers.push(await one.ranked(wholeOf(query), signal))
      return merge(answers, query, begun)
    },
    async rankedEach(queries, signal) {
      const segments = segmentsOf(queries)
      if (segments.length === 0) return main.rankedEach(queries, signal)
      const begun = performance.now()
      const found: (readonly (RankedAnswer | Error)[])[] = []
      for (const one of [main, ...segments.map(({ ranked }) => ranked)])
        found.push(await one.rankedEach(wholeOf(queries), signal))
      return queries.queries.map((_, at) => {
        const each = found.map((answers) => answers[at])
        const failed = each.find((answer) => answer instanceof Error)
        if (failed !== undefined) return failed
        return merge(
          each.filter((answer): answer is RankedAnswer => answer !== undefined),
          queries,
          begun,
        )
      })
    },
  }
}

/** @param answers of the main catalogue first */
function merge(
  [main, ...others]: readonly RankedAnswer[],
  { page = 1, numResults, sort = byFit, facets }: RankedOptions,
  begun: number,
): RankedAnswer {
  if (main === undefined) throw new Error('expected an answer of the catalogue')
  const all = [main, ...others.map(withoutRanks)]
  const { best: _, ...merged } = mergeRanked(all, { page, numResults, sort, facets }, begun)
  const { totalMs } = merged.timings
  return { ...merged, timings: { ...main.timings, totalMs } }
}

/** How well known an entry is among those of a segment says nothing. */
const withoutRanks = (answer: RankedAnswer): RankedAnswer => ({
  ...answer,
  results: answer.results.map((result): RankedResult => ({ ...result, popularityRank: null })),
})

export function withSegmentsListed(main: ListEntries, current: CurrentSegments): ListEntries {
  return async (query) => {
    const { dataset, page, numResults, sort, facets } = query
    const segments = current().filter((segment) => segment.hasDataset(dataset))
    if (segments.length === 0) return main(query)
    const whole: ListQuery = { ...query, page: 1, numResults: page * numResults }
    const lists: EntryList[] = [await main(whole)]
    for (const { listEntries } of segments) {
      const { results, ...list } = await listEntries(whole)
      lists.push({ ...list, results: results.map((one) => ({ ...one, popularityRank: null })) })
    }
    const all = inOneOrder(
      lists.flatMap(({ results }) => results),
      sort,
      ({ sortedBy }) => sortedBy,
    )
    const total = lists.reduce((sum, { pagination }) => sum + pagination.totalResults, 0)
    const { pagination, begin, end } = sliceOf(page, numResults, total)
    return {
      results: all.slice(begin, end),
      pagination,
      ...(facets && { facets: mergeFacets(lists.flatMap((list) => list.facets ?? [])) }),
      // A value that the catalogue lacks may be one of a segment.
      warnings: total > 0 ? [] : (lists[0]?.warnings ?? []),
    }
  }
}

/** @param main shows entries as they will be */
export function withSegmentsBrowsed(main: Browse, current: CurrentSegments): Browse {
  const segmentsOf = (dataset: RankedOptions['dataset']) =>
    current().filter((segment) => segment.hasDataset(dataset))
  return {
    ...main,
    async titles(dataset, query) {
      const known = await main.titles(dataset, query)
      const others = await Promise.all(
        segmentsOf(dataset).map(({ browse }) => browse.titles(dataset, query)),
      )
      return onceEach([...known, ...others.flat()]).slice(0, query.limit)
    },
    async titled(dataset, title) {
      const known = await main.titled(dataset, title)
      const others = await Promise.all(
        segmentsOf(dataset).map(({ browse }) => browse.titled(dataset, title)),
      )
      return onceEach([...known, ...others.flat()])
    },
    async entry(dataset, id) {
      const known = await main.entry(dataset, id)
      if (known !== undefined) return known
      for (const { browse } of segmentsOf(dataset)) {
        const found = await browse.entry(dataset, id)
        if (found !== undefined) return found
      }
      return undefined
    },
    titleOf(dataset, id, titles) {
      const known = main.titleOf(dataset, id, titles)
      if (known !== undefined) return known
      for (const { browse } of segmentsOf(dataset)) {
        const found = browse.titleOf(dataset, id, titles)
        if (found !== undefined) return found
      }
      return undefined
    },
    async entriesOfSite(dataset, site, ids) {
      const known = await main.entriesOfSite(dataset, site, ids)
      const others = await Promise.all(
        segmentsOf(dataset).map(({ browse }) => browse.entriesOfSite(dataset, site, ids)),
      )
      return onceEach([...known, ...others.flat()])
    },
  }
}

function onceEach<T extends { readonly id: number }>(entries: readonly T[]): readonly T[] {
  const seen = new Set<number>()
  return entries.filter(({ id }) => !seen.has(id) && seen.add(id))
}

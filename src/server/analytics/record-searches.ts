/** Searches that are recorded once they are answered. HTTP and MCP use the same ones. */
import { toMicroseconds } from '../../base/util/microseconds.js'
import type { Interpretation } from '../../search/reader/interpretation.js'
import type { JoinedSearch } from '../../search/service/joined-search.js'
import type { RankedAnswer, RankedSearchService } from '../../search/service/ranked-search.js'
import type { DescriptionAnswer, SearchService } from '../../search/service/service.js'
import type { Analytics, QueryKind } from './analytics.js'

interface Searches {
  readonly similar: SearchService
  readonly ranked: RankedSearchService
  readonly joined: JoinedSearch
}

export function recordSearches(
  { similar, ranked, joined }: Searches,
  analytics: Pick<Analytics, 'searched'>,
): Searches {
  const noteRanked = (
    { query, dataset, page = 1 }: { query: string; dataset: string; page?: number | undefined },
    answer: RankedAnswer,
  ) => {
    // A later page is the same search; one without a query lists works.
    if (page > 1 || query === '') return
    const results = answer.results.length
    analytics.searched({
      dataset,
      query,
      kind: kindOf(answer.interpretation),
      results,
      found: results > 0 && answer.nothingFits === undefined,
      ms: toMicroseconds(answer.timings.totalMs),
    })
  }
  const noteSimilar = (
    { page, dataset }: { page: number; dataset: string },
    query: string,
    { results, timings }: DescriptionAnswer,
  ) => {
    if (page > 1) return
    const count = results.length
    const ms = toMicroseconds(timings.totalMs)
    analytics.searched({ dataset, query, kind: 'similarity', results: count, found: count > 0, ms })
  }
  return {
    ranked: {
      async ranked(query, signal) {
        const answer = await ranked.ranked(query, signal)
        noteRanked(query, answer)
        return answer
      },
      async rankedEach(wanted, signal) {
        const answers = await ranked.rankedEach(wanted, signal)
        for (const [at, answer] of answers.entries()) {
          if (!(answer instanceof Error))
            noteRanked({ ...wanted, query: wanted.queries[at] ?? '' }, answer)
        }
        return answers
      },
    },
    async joined(query, signal) {
      const answer = await joined(query, signal)
      noteRanked({ ...query, dataset: 'all' }, answer)
      return answer
    },
    similar: {
      ...similar,
      async similar(query, signal) {
        const answer = await similar.similar(query, signal)
        noteSimilar(query, query.description, answer)
        return answer
      },
      async similarToEach(wanted, signal) {
        const answers = await similar.similarToEach(wanted, signal)
        for (const [at, answer] of answers.entries()) {
          if (!(answer instanceof Error)) noteSimilar(wanted, wanted.descriptions[at] ?? '', answer)
        }
        return answers
      },
    },
  }
}

export function kindOf(interpretation: Interpretation | undefined): QueryKind {
  const requested = interpretation?.readings.filter(({ excluded }) => !excluded) ?? []
  const has = (kind: string) => requested.some((reading) => reading.kind === kind)
  if (has('title')) return 'title'
  if (has('like')) return 'works like'
  if (requested.length === 0) return 'description'
  return interpretation?.text.trim() === '' ? 'facts' : 'facts and description'
}

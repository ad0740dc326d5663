/** Counts searches in memory that does not grow with their number. */
import type { SearchSummary } from '../schemas/search-summary.js'
import { queryKinds, type QueryKind, type Search } from './analytics.js'

export interface SearchCounts {
  add(search: Search): void
  summary(): SearchSummary
}

const shownQueries = 20
const maxQueryLength = 200
/** When so many different queries are counted, the rarer half is forgotten. */
const maxQueries = 10_000
const timedSearches = 1000

export function countSearches(now: () => number = Date.now): SearchCounts {
  const since = new Date(now()).toISOString()
  const queries = countQueries()
  const unmatchedQueries = countQueries()
  const times = new Map<QueryKind, { count: number; lastMs: number[] }>()
  let searches = 0
  let unmatched = 0
  return {
    add(search) {
      searches += 1
      queries.add(search)
      if (!search.found) {
        unmatched += 1
        unmatchedQueries.add(search)
      }
      const timed = times.get(search.kind) ?? { count: 0, lastMs: [] }
      times.set(search.kind, timed)
      timed.lastMs[timed.count % timedSearches] = search.ms
      timed.count += 1
    },
    summary: () => ({
      since,
      searches,
      unmatched,
      topQueries: queries.top(),
      unmatchedQueries: unmatchedQueries.top(),
      latency: queryKinds.flatMap((kind) => {
        const timed = times.get(kind)
        if (timed === undefined) return []
        const sorted = timed.lastMs.toSorted((one, other) => one - other)
        return {
          kind,
          count: timed.count,
          medianMs: quantile(sorted, 0.5),
          p95Ms: quantile(sorted, 0.95),
        }
      }),
    }),
  }
}

function countQueries() {
  let counts = new Map<string, { dataset: string; query: string; count: number }>()
  const byCount = () => [...counts].sort(([, one], [, other]) => other.count - one.count)
  return {
    add({ dataset, query: written }: Search) {
      const query = written.toLowerCase().replace(/\s+/g, ' ').trim().slice(0, maxQueryLength)
      const key = `${dataset} ${query}`
      const counted = counts.get(key)
      if (counted !== undefined) {
        counted.count += 1
        return
      }
      if (counts.size >= maxQueries) counts = new Map(byCount().slice(0, maxQueries / 2))
      counts.set(key, { dataset, query, count: 1 })
    },
    top: () =>
      byCount()
        .slice(0, shownQueries)
        .map(([, counted]) => ({ ...counted })),
  }
}

/** The least value that this share of all does not exceed. @param sorted ascending, not empty */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(share * sorted.length) - 1] ?? 0

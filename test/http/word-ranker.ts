/** A RankedSearchService that counts a query's words in the texts of every entry. */
import type { Catalogue } from '#synoptic/data/catalogue/catalogue.js'
import type {
  RankedQueries,
  RankedQuery,
  RankedSearchService,
} from '#synoptic/search/service/ranked-search.js'
import { sliceOf } from '#synoptic/search/service/pagination.js'
import { ValidationError } from '#synoptic/base/errors/index.js'

export class WordRanker implements RankedSearchService {
  /** The queries that it received. */
  readonly received: RankedQuery[] = []
  /** While set, it waits for this. */
  hold: Promise<void> | undefined

  constructor(private readonly catalogue: Catalogue) {}

  rankedEach({ queries, ...options }: RankedQueries, signal?: AbortSignal) {
    return Promise.all(queries.map((query) => this.ranked({ ...options, query }, signal)))
  }

  async ranked(query: RankedQuery, signal?: AbortSignal) {
    this.received.push(query)
    await this.hold
    signal?.throwIfAborted()
    const { dataset, includeLightNovels, numResults, candidates, model, device = 'cpu' } = query
    if (model !== undefined && model !== 'words') {
      throw new ValidationError([{ path: 'model_name', message: 'expected words' }])
    }
    const { rows = 0, columns = [] } = this.catalogue.dataset(dataset) ?? {}
    const entries = Array.from({ length: rows }, (_, row) => ({
      ...this.catalogue.entry(dataset, row),
      texts: columns.flatMap((_, column) => this.catalogue.text(dataset, row, column) ?? []),
    })).filter(({ type }) => includeLightNovels || type !== 'light_novel')
    const results = entries
      .map(({ texts, ...entry }) => {
        const synopsis = texts.join(' ')
        const { id, title } = entry
        const score = shareOf(query.query, synopsis)
        return {
          id,
          title,
          synopsis,
          score,
          column: columns[0] ?? null,
          entry,
          popularityRank: null,
        }
      })
      .sort((a, b) => b.score - a.score || a.id - b.id)
    const { pagination, begin, end } = sliceOf(query.page ?? 1, numResults, results.length)
    return {
      results: results.slice(begin, end),
      pagination,
      deviceUsed: 'cpu',
      candidatesScored:
        candidates === 'all' ? entries.length : Math.min(candidates, entries.length),
      entriesTotal: entries.length,
      timings: { rankMs: 1, rerankMs: 2, hydrateMs: 0.5, totalMs: 4 },
      warnings: device === 'cpu' ? [] : [`There is no ${device}; the CPU answered.`],
    }
  }
}

function shareOf(query: string, text: string): number {
  const words = query.toLowerCase().split(/\s+/)
  const found = words.filter((word) => text.includes(word))
  return found.length / words.length
}

/** GET /status/searches: what was searched. */
import * as v from 'valibot'
import { text } from './parts.js'

const count = (description: string) => v.pipe(v.number(), v.integer(), v.description(description))
const ms = (description: string) => v.pipe(v.number(), v.description(description))

const counted = v.object({
  dataset: text('The dataset; `all` for a search of all of them.', 'anime'),
  query: text('In small letters, without superfluous spaces, at most 200 characters.', 'cooking'),
  count: count('How often it was searched.'),
})

export const searchSummary = v.pipe(
  v.object({
    since: text('When counting began.', '2026-11-29T08:00:00.000Z'),
    searches: count('Searches that were answered. Later pages of results do not count.'),
    unmatched: count('Searches for which nothing fits well.'),
    topQueries: v.pipe(v.array(counted), v.description('The most frequent queries, at most 20.')),
    unmatchedQueries: v.pipe(
      v.array(counted),
      v.description('The most frequent queries for which nothing fits well, at most 20.'),
    ),
    latency: v.pipe(
      v.array(
        v.object({
          kind: text('What the queries consist of.', 'description'),
          count: count('Searches of this kind.'),
          medianMs: ms('Half of the last 1000 took no longer.'),
          p95Ms: ms('95 % of the last 1000 took no longer.'),
        }),
      ),
      v.description('How long searches took, by kind of query.'),
    ),
  }),
  v.title('SearchSummary'),
)

export type SearchSummary = v.InferOutput<typeof searchSummary>

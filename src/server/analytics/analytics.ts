/** What operators learn of searches with `--analytics`: which are frequent, which find nothing, and how long they take. */
import type { SearchSummary } from '../schemas/search-summary.js'

/** One search that was answered. It has nothing of the client. */
export interface Search {
  /** The dataset; `all` for a search of all of them. */
  readonly dataset: string
  readonly query: string
  readonly kind: QueryKind
  /** Results on the first page. */
  readonly results: number
  /** Whether something fits well. */
  readonly found: boolean
  readonly ms: number
}

/** What a query consists of. */
export const queryKinds = [
  'description',
  'facts',
  'facts and description',
  'title',
  'works like',
  'similarity',
] as const
export type QueryKind = (typeof queryKinds)[number]

export interface Analytics {
  searched(search: Search): void
  /** Of all processes. */
  summary(): Promise<SearchSummary>
}

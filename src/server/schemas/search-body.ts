/** The response of /searchmodel, as the bytes of http/search-json say it. */
import type { Explanation } from '../../search/service/modes.js'
import type { Pagination } from '../../search/service/pagination.js'
import type { DescriptionAnswer } from '../../search/service/service.js'

/** What the bytes of /searchmodel say. */
export interface SearchJson {
  readonly results: readonly ResultJson[]
  readonly pagination: Pagination
  readonly meta: DescriptionAnswer['meta'] & {
    readonly timings: Hydrated<DescriptionAnswer['timings']>
  }
}

interface ResultJson {
  /** From 1, over all pages. */
  readonly rank: number
  /** Cosine of the description and the best synopsis; null where words alone found the entry. */
  readonly similarity: number | null
  /** What the rank is made of; absent where that is the similarity alone. */
  readonly explain?: Explanation
  /** The column of that synopsis. */
  readonly column: string
  readonly synopsis: string | null
  readonly id: number
  readonly title: string
  readonly type: string | null
  readonly genres: readonly string[]
  readonly year: number | null
  /** What its users give it on average, 0 to 10. */
  readonly score: number | null
  /** The user's list that it is on; absent where no AniList access token is set. */
  readonly listStatus?: string | null
  /** Further metadata of the entry. */
  readonly [name: string]: unknown
}

type Hydrated<Timings> = Timings & { readonly hydrateMs: number }

/** The types of a ranked search: a query goes in, and the entries that the ranker scores highest come out. */
import type { Interpretation } from '../query/interpretation.js'
import type { ListStatus } from '../anilist/list-status.js'
import type { DatasetName } from '../catalogue/catalogue.js'
import type { EntryFilter } from '../catalogue/filter.js'
import type { VectorPhases } from '../ranking/first-stage.js'

export interface RankedQuery {
  readonly dataset: DatasetName
  /** Trimmed, not empty. */
  readonly query: string
  readonly numResults: number
  /** Pairs scored at once. */
  readonly batchSize: number
  /** How many entries the ranker scores; similarity and words select them. `all` scores every entry. */
  readonly candidates: number | 'all'
  /** Whether the search includes entries of type `light_novel`. */
  readonly includeLightNovels: boolean
  /** Restricts the entries that are searched; all if absent. */
  readonly filter?: EntryFilter
  /** Whether titles, references, facts and exclusions are read from the query; true where absent. */
  readonly interpret?: boolean | undefined
  /** Whether the search excludes entries on the user's lists. */
  readonly excludeListed?: boolean
  /** A listed name, or the label or path of a fine-tuned model; the default if absent. */
  readonly model?: string | undefined
  /** `cpu`, `cuda` or `cuda:N`; the best available if absent. */
  readonly device?: string | undefined
}

export interface RankedResult {
  readonly id: number
  readonly title: string
  /** 0 to 1. */
  readonly score: number
  /** The text with the best score, whole. */
  readonly synopsis: string
  /** The user's list that has the entry; null for none; absent without an access token. */
  readonly listStatus?: ListStatus | null
}

export interface RankedAnswer {
  /** By score, highest first. */
  readonly results: readonly RankedResult[]
  readonly deviceUsed: string
  readonly candidatesScored: number
  /** What was read from the query; absent where nothing was. */
  readonly interpretation?: Interpretation
  /** Entries that were searched. Excluded entries do not count. */
  readonly entriesTotal: number
  /** Where the result differs from the request, such as a device that is not available. */
  readonly warnings: readonly string[]
  /** Milliseconds of each phase. */
  readonly timings: RankedTimings
}

/** The phases of the vectors are absent where none were compared, as with all entries as candidates. */
export interface RankedTimings extends Partial<VectorPhases> {
  /** The rest of picking candidates. */
  readonly rankMs: number
  readonly rerankMs: number
  readonly hydrateMs: number
  readonly totalMs: number
}

export interface RankedSearchService {
  /** Aborting the signal drops the work that has not begun; the promise rejects with its reason. */
  ranked(query: RankedQuery, signal?: AbortSignal): Promise<RankedAnswer>
}

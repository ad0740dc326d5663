/** Search by a ranker: a query in, the entries that a cross-encoder (or the built-in blend) puts first. */
import type { ListStatus } from '../anilist/list-status.js'
import type { DatasetName } from '../catalogue/catalogue.js'
import type { EntryFilter } from '../catalogue/filter.js'

export interface RankedQuery {
  readonly dataset: DatasetName
  /** Trimmed, not empty. */
  readonly query: string
  readonly numResults: number
  /** Pairs scored at once. */
  readonly batchSize: number
  /** Entries that the ranker scores, picked by similarity and words; `all` picks none. */
  readonly candidates: number | 'all'
  /** Whether entries of type `light_novel` are searched too. */
  readonly includeLightNovels: boolean
  /** What the entries that are searched have in common; all are searched where absent. */
  readonly filter?: EntryFilter
  /** Whether entries that the user has on a list are left out. */
  readonly excludeListed?: boolean
  /** A listed name, or the label or path of a fine-tuned model; the default where absent. */
  readonly model?: string | undefined
  /** `cpu`, `cuda` or `cuda:N`; the best that is there where absent. */
  readonly device?: string | undefined
}

export interface RankedResult {
  readonly id: number
  readonly title: string
  /** 0 to 1. */
  readonly score: number
  /** The whole text that was scored best. */
  readonly synopsis: string
  /** The user's list that it is on, null for none; absent where no user is known. */
  readonly listStatus?: ListStatus | null
}

export interface RankedAnswer {
  /** By score, highest first. */
  readonly results: readonly RankedResult[]
  readonly deviceUsed: string
  readonly candidatesScored: number
  /** Entries that were searched, those left out by type or filter not counted. */
  readonly entriesTotal: number
  /** What was done otherwise than asked, such as a device that is not there. */
  readonly warnings: readonly string[]
  /** Milliseconds of each phase: candidates, their ranker, their texts. */
  readonly timings: RankedTimings
}

export interface RankedTimings {
  readonly rankMs: number
  readonly rerankMs: number
  readonly hydrateMs: number
  readonly totalMs: number
}

export interface RankedSearchService {
  /** Aborting the signal drops the work that has not begun; the promise rejects with its reason. */
  ranked(query: RankedQuery, signal?: AbortSignal): Promise<RankedAnswer>
}

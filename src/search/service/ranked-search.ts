/** The types of a ranked search: a query goes in, and the entries that the ranker scores highest come out. */
import type { Interpretation, Span } from '../reader/interpretation.js'
import type { ListStatus } from '../../data/anilist/list-status.js'
import type { DatasetName, Entry } from '../../data/catalogue/catalogue.js'
import type { EntryFilter } from '../../data/catalogue/filter.js'
import type { FacetName, Facets } from '../browse/facets.js'
import type { Pagination } from './pagination.js'
import type { QueryLanguage } from './other-languages.js'
import type { MatchedText } from './shown-texts.js'
import type { VectorPhases } from '../ranking/first-stage.js'

export { factOrders } from '../browse/entry-order.js'
export { facetNames, type FacetName } from '../browse/facets.js'

/** The latest, the best rated or the best known first; or by numbers of the user's own metadata. */
export interface ResultOrder {
  /** `fit`, or a name of `EntryOrder`. */
  readonly by: string
  readonly ascending?: boolean
}

/** The options of a ranked search, in addition to its queries. */
export interface RankedOptions {
  readonly dataset: DatasetName
  /** Results of a page. */
  readonly numResults: number
  /** From 1, the first where absent. Pages cover the entries that the ranker scores. */
  readonly page?: number | undefined
  /** `franchise`: the best entry of each franchise only, with a list of the others. */
  readonly group?: 'franchise' | undefined
  /** Whether results say why they match. */
  readonly explain?: boolean | undefined
  /** Whether results show texts that give an ending away. */
  readonly spoilers?: boolean | undefined
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
  /** How far each row suits somebody, at most 1; then the query may be empty. */
  readonly taste?: Float32Array | undefined
  /** Ids of entries that are not searched. */
  readonly exclude?: readonly number[] | undefined
  /** By fit where absent. */
  readonly sort?: ResultOrder | undefined
  /** What of its results the answer counts. */
  readonly facets?: readonly FacetName[] | undefined
  /** A listed name, or the label or path of a fine-tuned model; the default if absent. */
  readonly model?: string | undefined
  /** `cpu`, `cuda` or `cuda:N`; the best available if absent. */
  readonly device?: string | undefined
}

export interface RankedQuery extends RankedOptions {
  /** Trimmed, not empty. */
  readonly query: string
  /** Parts of the query that are read as text alone. */
  readonly ignore?: readonly Span[] | undefined
}

export interface RankedQueries extends RankedOptions {
  /** Each trimmed, not empty. */
  readonly queries: readonly string[]
}

export interface RankedResult {
  readonly id: number
  readonly title: string
  /** 0 to 1. */
  readonly score: number
  /** Its synopsis, whole: of several that with the best score, if that is the best text of all; else the first. */
  readonly synopsis: string
  /** The column of that text; null for an entry without texts. */
  readonly column: string | null
  /** Where another text than a synopsis has the best score. */
  readonly matched?: MatchedText | undefined
  readonly entry: Entry
  /** What it is sorted by, NaN where that is not known; absent where that is the score. */
  readonly sortedBy?: number
  /** 1 for the best known of the dataset; null where that is not known. */
  readonly popularityRank: number | null
  /** The other entries of its franchise, oldest first; absent unless results are grouped. */
  readonly franchiseEntries?: readonly Entry[]
  readonly explain?: ResultExplanation
  /** The user's list that has the entry; null for none; absent without an access token. */
  readonly listStatus?: ListStatus | null
}

/** Each from 0 to 1, but for the lists. */
export interface ResultExplanation {
  /** The score that the texts alone give. */
  readonly text: number
  /** How nearly the whole query is a title of the entry. */
  readonly title: number
  /** How far the requested facts are fulfilled. */
  readonly fulfilled: number
  /** How alike the entry is to the works that the query names. */
  readonly similar: number
  /** How far what the query excludes is there. */
  readonly broken: number
  /** Words of the synopsis that match words of the query. */
  readonly words: readonly Span[]
  /** Requested facts that the entry has, as the interpretation labels them. */
  readonly facts: readonly string[]
  /** Requested facts that it lacks. */
  readonly missing: readonly string[]
}

/** What distinguishes works: when and where it was shown, and one thing in it. */
export const memories = ['year', 'type', 'object'] as const
export type Memory = (typeof memories)[number]

export interface RankedAnswer {
  /** By score, highest first. */
  readonly results: readonly RankedResult[]
  readonly pagination: Pagination
  /** What all results can be filtered by; absent unless the request wants it. */
  readonly facets?: Partial<Facets>
  readonly deviceUsed: string
  /** Of a query that is certainly in another language than English. */
  readonly language?: QueryLanguage
  readonly candidatesScored: number
  /** What was read from the query; absent where nothing was. */
  readonly interpretation?: Interpretation
  /** Where nothing fits well: what would help to remember. Absent where something does. */
  readonly nothingFits?: { readonly remember: readonly Memory[] }
  /** Entries that were searched. Excluded entries do not count. */
  readonly entriesTotal: number
  /** Where the result differs from the request, such as a device that is not available. */
  readonly warnings: readonly string[]
  /** Milliseconds of each phase. */
  readonly timings: RankedTimings
}

/** The phases of the vectors are absent where none were compared, as with all entries as candidates. */
interface RankedTimings extends Partial<VectorPhases> {
  /** The rest of picking candidates. */
  readonly rankMs: number
  readonly rerankMs: number
  readonly hydrateMs: number
  readonly totalMs: number
}

export interface RankedSearchService {
  /** Aborting the signal drops the work that has not begun; the promise rejects with its reason. */
  ranked(query: RankedQuery, signal?: AbortSignal): Promise<RankedAnswer>
  /**
   * Answers in the order of the queries, whose candidates come from shared scans. A query that cannot be answered
   * has its error. The phases before the ranker's are those of all that shared the scan.
   */
  rankedEach(query: RankedQueries, signal?: AbortSignal): Promise<readonly (RankedAnswer | Error)[]>
}

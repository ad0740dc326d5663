/** Description similarity: description → encode → scan → page → results. */
import type { Catalogue, DatasetInfo, DatasetName } from '../../data/catalogue/catalogue.js'
import type { ListStatus } from '../../data/anilist/list-status.js'
import type { EntryFilter } from '../../data/catalogue/filter.js'
import { withoutRows } from '../../base/util/row-mask.js'
import { DatasetMissingError, ValidationError } from '../../base/errors/index.js'
import { listNotes, type UserLists } from '../../data/anilist/user-lists.js'
import { toMicroseconds } from '../../base/util/microseconds.js'
import { onlyOne } from '../../base/util/only-one.js'
import { findByVector, type Outcome, type Search } from './find-by-vector.js'
import { lexicalSearch, type Explanation, type SearchMode } from './modes.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import type { Models } from '../../models/residency/resident-encoders.js'
import { shownColumn } from './shown-texts.js'
import { createFindNeighbours, type FindNeighbours } from './neighbours.js'
import type { Pagination } from './pagination.js'
import { inTurns } from '../../native/scheduling/in-turns.js'
import { unmatchedValues } from './unmatched-values.js'
import type { CollectionStore } from '../index/store.js'

export interface SearchServices {
  readonly catalogue: Catalogue
  readonly collections: CollectionStore
  readonly models: Pick<Models, 'use'>
  /** The structured data of a dataset. */
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
  /** The lists of the AniList user; absent without an access token. */
  readonly lists?: Pick<UserLists, 'lookUp'>
}

/** The options of a search of descriptions. */
interface SearchOptions {
  readonly dataset: DatasetName
  /** Exact name of an allowed model; only the mode `lexical` needs none. */
  readonly model?: string | undefined
  readonly page: number
  readonly resultsPerPage: number
  /** `semantic` if absent; `lexical` does not use the model. */
  readonly mode?: SearchMode
  /** Restricts the entries that are searched; all if absent. */
  readonly filter?: EntryFilter
  /** Whether the search excludes entries on the user's lists. */
  readonly excludeListed?: boolean
}

export interface DescriptionQuery extends SearchOptions {
  /** Trimmed, not empty. */
  readonly description: string
}

interface DescriptionsQuery extends SearchOptions {
  /** Each trimmed, not empty. */
  readonly descriptions: readonly string[]
}

/** Milliseconds of each phase. */
interface Timings {
  readonly queueMs: number
  readonly tokenizeMs: number
  readonly inferMs: number
  readonly scanMs: number
  readonly totalMs: number
}

interface DescriptionResult {
  /** From 1, over all pages. */
  readonly rank: number
  /** Cosine of the description and the entry's best synopsis; null if only words found the entry. */
  readonly similarity: number | null
  /** Why the entry has this rank; absent in the semantic mode. */
  readonly explain?: Explanation | undefined
  /** The row of the entry in its dataset. */
  readonly row: number
  /** Position in the dataset's columns of that synopsis. */
  readonly column: number
  /** The user's list that has the entry; null for none; absent without an access token. */
  readonly listStatus?: ListStatus | null | undefined
}

export interface DescriptionAnswer {
  readonly dataset: DatasetInfo
  readonly results: readonly DescriptionResult[]
  readonly pagination: Pagination
  readonly meta: {
    /** Null if the query names none. */
    readonly model: string | null
    readonly mode: SearchMode
    readonly dataset: DatasetName
    readonly device: string
    /** Where the result differs from the request; absent if it does not. */
    readonly notes?: readonly string[] | undefined
  }
  readonly timings: Timings
}

export interface SearchService {
  /** Aborting the signal drops the work that has not begun; the promise rejects with its reason. */
  similar(query: DescriptionQuery, signal?: AbortSignal): Promise<DescriptionAnswer>
  /**
   * Answers in the order of the descriptions, which are encoded as one batch and share one scan. A description that
   * cannot be answered has its error; the timings of each are those of all.
   */
  similarToEach(query: DescriptionsQuery, signal?: AbortSignal): Promise<readonly EachAnswer[]>
  readonly neighbours: FindNeighbours
}

type EachAnswer = DescriptionAnswer | Error

export function createSearchService(services: SearchServices): SearchService {
  const { catalogue, collections, models, lists } = services

  async function find(search: Search): Promise<Outcome> {
    const { query, request } = search
    if (query.mode === 'lexical') {
      const scanned = performance.now()
      const searched = (description: string) => lexicalSearch(request, catalogue, description)
      const pages = await inTurns(query.descriptions, searched, request.signal)
      const scanMs = performance.now() - scanned
      return { pages, device: 'cpu', encoding: { queueMs: 0, tokenizeMs: 0, inferMs: 0 }, scanMs }
    }
    const { model } = query
    if (model === undefined) throw new ValidationError([{ path: 'model', message: 'required' }])
    return models.use(model, (encoder) =>
      collections.use(request.dataset, model, (collection) => {
        request.signal?.throwIfAborted()
        return findByVector(search, { encoder, collection, catalogue })
      }),
    )
  }

  async function similarToEach(query: DescriptionsQuery, signal?: AbortSignal) {
    const begun = performance.now()
    const { model = null, mode = 'semantic', filter = {} } = query
    const dataset = catalogue.dataset(query.dataset)
    if (dataset === undefined) throw new DatasetMissingError(query.dataset)
    const pendingLists = lists?.lookUp(dataset.name)
    const scope = catalogue.mask(dataset.name, filter)
    const excludedRows = query.excludeListed ? (await pendingLists)?.statuses.keys() : undefined
    const mask = excludedRows === undefined ? scope : withoutRows(scope, dataset.rows, excludedRows)
    const { page, resultsPerPage } = query
    const known = mode === 'semantic' ? undefined : await services.knowledge(dataset)
    const titleRowsOf = (description: string) => known?.titleRows(description) ?? []
    const request = { dataset, mask, page, resultsPerPage, signal, titleRowsOf }
    const { pages, device, encoding, scanMs } = await find({ query, request })
    const userLists = await pendingLists
    const timings = {
      queueMs: toMicroseconds(encoding.queueMs),
      tokenizeMs: toMicroseconds(encoding.tokenizeMs),
      inferMs: toMicroseconds(encoding.inferMs),
      scanMs: toMicroseconds(scanMs),
      totalMs: toMicroseconds(performance.now() - begun),
    }
    const notes = [
      ...listNotes(userLists, query.excludeListed),
      ...(await unmatchedValues({ dataset, filter, mask: scope }, services.knowledge)),
    ]
    const shownNotes = notes.length > 0 ? notes : undefined
    return pages.map((hitPage) => {
      if (hitPage instanceof Error) return hitPage
      const results = hitPage.hits.map((hit, position) => ({
        rank: hitPage.begin + position + 1,
        similarity: hit.similarity,
        explain: hit.explain,
        row: hit.row,
        column: shownColumn(catalogue, dataset, hit.row, hit.column ?? undefined),
        listStatus: userLists && (userLists.statuses.get(hit.row) ?? null),
      }))
      const comparedOn = hitPage.device ?? device
      const meta = { model, mode, dataset: dataset.name, device: comparedOn, notes: shownNotes }
      return { dataset, results, pagination: hitPage.pagination, meta, timings }
    })
  }

  return {
    neighbours: createFindNeighbours(services),
    similarToEach,
    async similar({ description, ...query }, signal) {
      return onlyOne(await similarToEach({ ...query, descriptions: [description] }, signal))
    },
  }
}

/** Description similarity: description → encode → scan → page → results. */
import type { Catalogue, DatasetInfo, DatasetName } from '../catalogue/catalogue.js'
import type { ListStatus } from '../anilist/list-status.js'
import type { EntryFilter } from '../catalogue/filter.js'
import type { Encoder } from '../encoders/encoder.js'
import { countRows, withoutRows } from '../util/row-mask.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { ValidationError } from '../errors/validation-error.js'
import { requireDimension } from '../index/dimension.js'
import { listNotes, type UserLists } from '../anilist/user-lists.js'
import { toMicroseconds } from '../util/microseconds.js'
import {
  hybridSearch,
  semanticSearch,
  lexicalSearch,
  type Explanation,
  type HitPage,
  type Hit,
  type SearchMode,
  type SearchRequest,
} from './modes.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import type { Models } from '../residency/resident-encoders.js'
import { createFindNeighbours, type FindNeighbours } from './neighbours.js'
import type { Pagination } from './pagination.js'
import { unmatchedValues } from './unmatched-values.js'
import type { Collection, CollectionStore } from '../index/store.js'

export interface SearchServices {
  readonly catalogue: Catalogue
  readonly collections: CollectionStore
  readonly models: Pick<Models, 'use'>
  /** What is known of a dataset beside its texts. */
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
  /** The lists of the AniList user; absent without an access token. */
  readonly lists?: Pick<UserLists, 'lookUp'>
}

export interface DescriptionQuery {
  readonly dataset: DatasetName
  /** Exact name of an allowed model; only the mode `lexical` needs none. */
  readonly model?: string | undefined
  /** Trimmed, not empty. */
  readonly description: string
  readonly page: number
  readonly resultsPerPage: number
  /** `semantic` if absent; `lexical` does not use the model. */
  readonly mode?: SearchMode
  /** Restricts the entries that are searched; all if absent. */
  readonly filter?: EntryFilter
  /** Whether the search excludes entries on the user's lists. */
  readonly excludeListed?: boolean
}

/** Milliseconds of each phase. */
export interface Timings {
  readonly queueMs: number
  readonly tokenizeMs: number
  readonly inferMs: number
  readonly scanMs: number
  readonly totalMs: number
}

export interface DescriptionResult {
  /** From 1, over all pages. */
  readonly rank: number
  /** Cosine of the description and the entry's best synopsis; null if only words found the entry. */
  readonly similarity: number | null
  /** Why the entry has this rank; absent in the semantic mode. */
  readonly explain?: Explanation | undefined
  /** Where the entry stands in its dataset. */
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
  readonly neighbours: FindNeighbours
}

export function createSearchService(services: SearchServices): SearchService {
  const { catalogue, collections, models, lists } = services

  async function find(search: Search): Promise<Outcome> {
    const { query, request } = search
    if (query.mode === 'lexical') {
      const scanned = performance.now()
      const hitPage = lexicalSearch(request, catalogue)
      return { hitPage, device: 'cpu', encoding: noEncoding, scanMs: performance.now() - scanned }
    }
    const { model } = query
    if (model === undefined) throw new ValidationError([{ path: 'model', message: 'required' }])
    return models.use(model, (encoder) =>
      collections.use(request.dataset, model, (collection) => {
        request.signal?.throwIfAborted()
        return findByVector(search, encoder, collection, catalogue)
      }),
    )
  }

  return {
    neighbours: createFindNeighbours(services),
    async similar(query, signal) {
      const begun = performance.now()
      const { model = null, mode = 'semantic', filter = {} } = query
      const dataset = catalogue.dataset(query.dataset)
      if (dataset === undefined) throw new DatasetMissingError(query.dataset)
      const pendingLists = lists?.lookUp(dataset.name)
      const scope = catalogue.mask(dataset.name, filter)
      const excludedRows = query.excludeListed ? (await pendingLists)?.statuses.keys() : undefined
      const mask =
        excludedRows === undefined ? scope : withoutRows(scope, dataset.rows, excludedRows)
      const { description, page, resultsPerPage } = query
      const titleRows =
        mode === 'semantic' ? [] : (await services.knowledge(dataset)).titleRows(description)
      const request = { dataset, description, mask, page, resultsPerPage, signal, titleRows }
      const { hitPage, device, encoding, scanMs } = await find({ query, request })
      const userLists = await pendingLists
      const results = hitPage.hits.map((hit, position) => ({
        rank: hitPage.begin + position + 1,
        similarity: hit.similarity,
        explain: hit.explain,
        row: hit.row,
        column: hit.column ?? firstText(catalogue, dataset, hit),
        listStatus: userLists && (userLists.statuses.get(hit.row) ?? null),
      }))
      const timings = {
        queueMs: toMicroseconds(encoding.queueMs),
        tokenizeMs: toMicroseconds(encoding.tokenizeMs),
        inferMs: toMicroseconds(encoding.inferMs),
        scanMs: toMicroseconds(scanMs),
        totalMs: toMicroseconds(performance.now() - begun),
      }
      const count = scope === undefined ? dataset.rows : countRows(scope)
      const notes = [
        ...listNotes(userLists, query.excludeListed),
        ...(await unmatchedValues({ dataset, filter, count }, services.knowledge)),
      ]
      const shownNotes = notes.length > 0 ? notes : undefined
      const meta = { model, mode, dataset: dataset.name, device, notes: shownNotes }
      return { dataset, results, pagination: hitPage.pagination, meta, timings }
    },
  }
}

interface Search {
  readonly query: DescriptionQuery
  readonly request: SearchRequest
}

interface Outcome {
  readonly hitPage: HitPage
  readonly device: string
  readonly encoding: Pick<Timings, 'queueMs' | 'tokenizeMs' | 'inferMs'>
  readonly scanMs: number
}

const noEncoding = { queueMs: 0, tokenizeMs: 0, inferMs: 0 }

async function findByVector(
  { query, request }: Search,
  encoder: Encoder,
  collection: Collection,
  catalogue: Catalogue,
): Promise<Outcome> {
  requireDimension(encoder, collection.index, request.dataset.name)
  const { signal } = request
  const { vectors, timings } = await encoder.encode([query.description], { signal })
  const isHybrid = query.mode === 'hybrid'
  if (!isHybrid) requireWords(vectors)
  const encoded = performance.now()
  const hitPage = isHybrid
    ? await hybridSearch(request, collection, vectors, catalogue)
    : await semanticSearch(request, collection, vectors)
  const scanMs = performance.now() - encoded
  const device = hitPage.device ?? encoder.device
  return { hitPage, device, encoding: timings, scanMs }
}

/** Words may match the title only: the entry then shows its first text. */
function firstText(catalogue: Catalogue, { name, columns }: DatasetInfo, { row }: Hit): number {
  const column = columns.findIndex((_, column) => catalogue.text(name, row, column) !== null)
  return Math.max(column, 0)
}

/** The vector of a text without a known token is zero, and nothing is similar to it. */
function requireWords(vector: Float32Array): void {
  if (vector.some((value) => value !== 0)) return
  const message = 'must contain a word that the model knows'
  throw new ValidationError([{ path: 'description', message }])
}

/** Description similarity: description → encode → scan → page → results. */
import type { Catalogue, DatasetInfo, DatasetName } from '../catalogue/catalogue.js'
import type { ListStatus } from '../anilist/list-status.js'
import type { EntryFilter } from '../catalogue/filter.js'
import type { Encoder } from '../encoders/encoder.js'
import { withoutRows } from '../util/row-mask.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { ValidationError } from '../errors/validation-error.js'
import type { MetricsSink } from '../observability/metrics-sink.js'
import { requireDimension } from '../index/dimension.js'
import { createEntryJson } from './entry-json.js'
import { listNotes, type UserLists } from '../anilist/user-lists.js'
import { toMicroseconds } from '../util/microseconds.js'
import {
  findBoth,
  findSimilar,
  findWorded,
  type Explanation,
  type Found,
  type Hit,
  type SearchMode,
  type Wanted,
} from './modes.js'
import type { Models } from '../residency/resident-encoders.js'
import { createFindNeighbours, type FindNeighbours } from './neighbours.js'
import type { Pagination } from './pagination.js'
import type { Collection, CollectionStore } from '../index/store.js'

export interface SearchServices {
  readonly catalogue: Catalogue
  readonly collections: CollectionStore
  readonly models: Pick<Models, 'use'>
  /** Of the user whose token is set; nobody's where absent. */
  readonly lists?: Pick<UserLists, 'lookUp'>
  readonly meter?: MetricsSink
}

export interface DescriptionQuery {
  readonly dataset: DatasetName
  /** Exact name of an allowed model. */
  readonly model: string
  /** Trimmed, not empty. */
  readonly description: string
  readonly page: number
  readonly resultsPerPage: number
  /** `semantic` where absent; `lexical` does not use the model. */
  readonly mode?: SearchMode
  /** What the entries that are searched have in common; all are searched where absent. */
  readonly filter?: EntryFilter
  /** Whether entries that the user has on a list are left out. */
  readonly excludeListed?: boolean
}

/** Milliseconds of each phase. */
export interface Timings {
  readonly queueMs: number
  readonly tokenizeMs: number
  readonly inferMs: number
  readonly scanMs: number
  readonly hydrateMs: number
  readonly totalMs: number
}

export interface DescriptionResult {
  /** From 1, over all pages. */
  readonly rank: number
  /** Cosine of the description and the entry's best synopsis; null where words alone found it. */
  readonly similarity: number | null
  /** What the rank is made of; absent where that is the similarity alone. */
  readonly explain?: Explanation | undefined
  /** All else of the entry, see EntryJson. */
  readonly members: Uint8Array
  /** The user's list that it is on, null for none; absent where no user is known. */
  readonly listStatus?: ListStatus | null | undefined
}

export interface DescriptionAnswer {
  readonly results: readonly DescriptionResult[]
  readonly pagination: Pagination
  readonly meta: {
    readonly model: string
    readonly mode: SearchMode
    readonly dataset: DatasetName
    readonly device: string
    readonly timings: Timings
    /** What could not be done as asked; absent where nothing was. */
    readonly notes?: readonly string[] | undefined
  }
}

export interface SearchService {
  /** Aborting the signal drops the work that has not begun; the promise rejects with its reason. */
  similar(query: DescriptionQuery, signal?: AbortSignal): Promise<DescriptionAnswer>
  readonly neighbours: FindNeighbours
}

export function createSearchService(services: SearchServices): SearchService {
  const { catalogue, collections, models, meter, lists } = services
  const entries = createEntryJson(catalogue, undefined, meter)

  async function find(search: Search): Promise<Outcome> {
    const { query, wanted } = search
    if (query.mode === 'lexical') {
      const scanned = performance.now()
      const found = findWorded(wanted, catalogue)
      return { found, device: 'cpu', encoding: noEncoding, scanMs: performance.now() - scanned }
    }
    return models.use(query.model, (encoder) =>
      collections.use(wanted.dataset, query.model, (collection) => {
        wanted.signal?.throwIfAborted()
        return findByVector(search, encoder, collection, catalogue)
      }),
    )
  }

  return {
    neighbours: createFindNeighbours(catalogue, collections, entries),
    async similar(query, signal) {
      const begun = performance.now()
      const { model, mode = 'semantic', filter = {} } = query
      const dataset = catalogue.dataset(query.dataset)
      if (dataset === undefined) throw new DatasetMissingError(query.dataset)
      const listing = lists?.lookUp(dataset.name)
      const scope = catalogue.mask(dataset.name, filter)
      const left = query.excludeListed ? (await listing)?.statuses.keys() : undefined
      const mask = left === undefined ? scope : withoutRows(scope, dataset.rows, left)
      const { description, page, resultsPerPage } = query
      const wanted = { dataset, description, mask, page, resultsPerPage, signal }
      const { found, device, encoding, scanMs } = await find({ query, wanted })
      const listed = await listing
      const hydrated = performance.now()
      const results = found.hits.map((hit, position) => ({
        rank: found.begin + position + 1,
        similarity: hit.similarity,
        explain: hit.explain,
        members: entries.members(
          dataset,
          hit.row,
          hit.column ?? firstText(catalogue, dataset, hit),
        ),
        listStatus: listed && (listed.statuses.get(hit.row) ?? null),
      }))
      const done = performance.now()
      const timings = {
        queueMs: toMicroseconds(encoding.queueMs),
        tokenizeMs: toMicroseconds(encoding.tokenizeMs),
        inferMs: toMicroseconds(encoding.inferMs),
        scanMs: toMicroseconds(scanMs),
        hydrateMs: toMicroseconds(done - hydrated),
        totalMs: toMicroseconds(done - begun),
      }
      const notes = listNotes(listed, query.excludeListed)
      const told = notes.length > 0 ? notes : undefined
      const meta = { model, mode, dataset: dataset.name, device, timings, notes: told }
      return { results, pagination: found.pagination, meta }
    },
  }
}

interface Search {
  readonly query: DescriptionQuery
  readonly wanted: Wanted
}

interface Outcome {
  readonly found: Found
  readonly device: string
  readonly encoding: Pick<Timings, 'queueMs' | 'tokenizeMs' | 'inferMs'>
  readonly scanMs: number
}

const noEncoding = { queueMs: 0, tokenizeMs: 0, inferMs: 0 }

async function findByVector(
  { query, wanted }: Search,
  encoder: Encoder,
  collection: Collection,
  catalogue: Catalogue,
): Promise<Outcome> {
  requireDimension(encoder, collection.index, wanted.dataset.name)
  const { signal } = wanted
  const { vectors, timings } = await encoder.encode([query.description], { signal })
  const isHybrid = query.mode === 'hybrid'
  if (!isHybrid) requireWords(vectors)
  const encoded = performance.now()
  const found = isHybrid
    ? await findBoth(wanted, collection, vectors, catalogue)
    : await findSimilar(wanted, collection, vectors)
  const scanMs = performance.now() - encoded
  const device = found.device ?? encoder.device
  return { found, device, encoding: timings, scanMs }
}

/** Words may be found in titles: the first text stands for an entry that none speaks for. */
function firstText(catalogue: Catalogue, { name, columns }: DatasetInfo, { row }: Hit): number {
  const column = columns.findIndex((_, column) => catalogue.text(name, row, column) !== null)
  return Math.max(column, 0)
}

/** A text without a token that the model knows has the zero vector, which is similar to nothing. */
function requireWords(vector: Float32Array): void {
  if (vector.some((value) => value !== 0)) return
  const message = 'expected at least one word that the model knows, received none'
  throw new ValidationError([{ path: 'description', message }])
}

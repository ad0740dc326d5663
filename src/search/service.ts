/** Description similarity: description → encode → scan → page → results. */
import type { Catalogue, DatasetInfo, DatasetName } from '../catalogue/catalogue.js'
import type { Encoder } from '../encoders/encoder.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { ValidationError } from '../errors/validation-error.js'
import type { Meter } from '../metrics/meter.js'
import { requireDimension } from './dimension.js'
import type { Models } from './models.js'
import { createEntryJson, type EntryJson } from './entry-json.js'
import { toMicroseconds } from './microseconds.js'
import { sliceOf, type Pagination } from './pagination.js'
import type { Collection, CollectionStore } from './store.js'

export interface SearchServices {
  readonly catalogue: Catalogue
  readonly collections: CollectionStore
  readonly models: Pick<Models, 'use'>
  readonly meter?: Meter
}

export interface DescriptionQuery {
  readonly dataset: DatasetName
  /** Exact name of an allowed model. */
  readonly model: string
  /** Trimmed, not empty. */
  readonly description: string
  readonly page: number
  readonly resultsPerPage: number
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
  /** Cosine of the description and the entry's best synopsis. */
  readonly similarity: number
  /** All else of the entry, see EntryJson. */
  readonly members: Uint8Array
}

export interface DescriptionAnswer {
  readonly results: readonly DescriptionResult[]
  readonly pagination: Pagination
  readonly meta: {
    readonly model: string
    readonly dataset: DatasetName
    readonly device: string
    readonly timings: Timings
  }
}

export interface SearchService {
  /** Aborting the signal drops the work that has not begun; the promise rejects with its reason. */
  similar(query: DescriptionQuery, signal?: AbortSignal): Promise<DescriptionAnswer>
}

export function createSearchService(services: SearchServices): SearchService {
  const { catalogue, collections, models, meter } = services
  const entries = createEntryJson(catalogue, undefined, meter)
  return {
    async similar(query, signal) {
      const begun = performance.now()
      const dataset = catalogue.dataset(query.dataset)
      if (dataset === undefined) throw new DatasetMissingError(query.dataset)
      return models.use(query.model, (encoder) =>
        collections.use(dataset, query.model, (collection) => {
          signal?.throwIfAborted()
          return search({ query, begun, dataset, encoder, collection, entries }, signal)
        }),
      )
    },
  }
}

/** A query with all that is needed to answer it. */
interface Search {
  readonly query: DescriptionQuery
  /** When it came, by performance.now(). */
  readonly begun: number
  readonly dataset: DatasetInfo
  readonly encoder: Encoder
  readonly collection: Collection
  readonly entries: EntryJson
}

async function search(
  { query, begun, dataset, encoder, collection, entries }: Search,
  signal: AbortSignal | undefined,
): Promise<DescriptionAnswer> {
  const { model, description, page, resultsPerPage } = query
  requireDimension(encoder, collection.index, dataset.name)
  const cancel = signal === undefined ? {} : { signal }
  const { vectors, timings } = await encoder.encode([description], cancel)
  requireWords(vectors)
  const encoded = performance.now()

  const { pagination, begin, end } = sliceOf(page, resultsPerPage, collection.validRows)
  // A page past the end has nothing to find.
  const hits = begin < end ? await collection.index.search(vectors, 1, end, cancel) : undefined
  const scanned = performance.now()

  const results: DescriptionResult[] = []
  for (let position = begin; position < (hits?.counts[0] ?? 0); position++) {
    const row = hits?.rows[position] ?? 0
    const column = collection.columns[hits?.columns[position] ?? 0] ?? 0
    const members = entries.members(dataset, row, column)
    results.push({ rank: position + 1, similarity: hits?.scores[position] ?? 0, members })
  }
  const done = performance.now()
  return {
    results,
    pagination,
    meta: {
      model,
      dataset: dataset.name,
      device: encoder.device,
      timings: {
        queueMs: toMicroseconds(timings.queueMs),
        tokenizeMs: toMicroseconds(timings.tokenizeMs),
        inferMs: toMicroseconds(timings.inferMs),
        scanMs: toMicroseconds(scanned - encoded),
        hydrateMs: toMicroseconds(done - scanned),
        totalMs: toMicroseconds(done - begun),
      },
    },
  }
}

/** A text without a token that the model knows has the zero vector, which is similar to nothing. */
function requireWords(vector: Float32Array): void {
  if (vector.some((value) => value !== 0)) return
  const message = 'expected at least one word that the model knows, received none'
  throw new ValidationError([{ path: 'description', message }])
}

/** Description similarity: description → encode → scan → page → results. */
import type { Catalogue, DatasetName } from '../catalogue/catalogue.js'
import type { Encoder } from '../encoders/encoder.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { DimensionMismatchError } from '../errors/dimension-mismatch-error.js'
import { ValidationError } from '../errors/validation-error.js'
import type { Models } from './models.js'
import { hydrate, type Result } from './hydrate.js'
import { sliceOf, type Pagination } from './pagination.js'
import type { Collection, CollectionStore } from './store.js'

export interface SearchServices {
  readonly catalogue: Catalogue
  readonly collections: CollectionStore
  readonly models: Pick<Models, 'use'>
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

export interface DescriptionAnswer {
  readonly results: readonly Result[]
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
  const { catalogue, collections, models } = services
  return {
    async similar(query, signal) {
      const begun = performance.now()
      const dataset = catalogue.dataset(query.dataset)
      if (dataset === undefined) throw new DatasetMissingError(query.dataset)
      return models.use(query.model, (encoder) =>
        collections.use(dataset, query.model, (collection) => {
          signal?.throwIfAborted()
          return search(query, catalogue, encoder, collection, begun, signal)
        }),
      )
    },
  }
}

async function search(
  { dataset, model, description, page, resultsPerPage }: DescriptionQuery,
  catalogue: Catalogue,
  encoder: Encoder,
  collection: Collection,
  begun: number,
  signal: AbortSignal | undefined,
): Promise<DescriptionAnswer> {
  requireDimension(encoder, collection, dataset)
  const cancel = signal === undefined ? {} : { signal }
  const { vectors, timings } = await encoder.encode([description], cancel)
  requireWords(vectors)
  const encoded = performance.now()

  const { pagination, begin, end } = sliceOf(page, resultsPerPage, collection.validRows)
  // A page past the end has nothing to find.
  const depth = begin === end ? 0 : end
  const hits = depth > 0 ? await collection.index.search(vectors, 1, depth, cancel) : undefined
  const scanned = performance.now()

  const { columns } = collection
  const results = hits ? hydrate(catalogue, dataset, columns, hits, begin, end) : []
  const done = performance.now()
  return {
    results,
    pagination,
    meta: {
      model,
      dataset,
      device: encoder.device,
      timings: {
        queueMs: microseconds(timings.queueMs),
        tokenizeMs: microseconds(timings.tokenizeMs),
        inferMs: microseconds(timings.inferMs),
        scanMs: microseconds(scanned - encoded),
        hydrateMs: microseconds(done - scanned),
        totalMs: microseconds(done - begun),
      },
    },
  }
}

/** Milliseconds to the microsecond; more digits would only be noise. */
const microseconds = (durationMs: number) => Math.round(durationMs * 1000) / 1000

function requireDimension(encoder: Encoder, { index }: Collection, dataset: DatasetName): void {
  if (index.dimension === encoder.dimension) return
  throw new DimensionMismatchError(dataset, encoder.model, encoder.dimension, index.dimension)
}

/** A text without a token that the model knows has the zero vector, which is similar to nothing. */
function requireWords(vector: Float32Array): void {
  if (vector.some((value) => value !== 0)) return
  const message = 'expected at least one word that the model knows, received none'
  throw new ValidationError([{ path: 'description', message }])
}

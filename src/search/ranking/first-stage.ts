/**
 * The first of two stages: candidates by similarity and by words. A scan of vectors alone misses one
 * entry in ten, because queries contain names; words alone miss entries that are described in other words.
 */
import type { Cosines } from '../../native/addon/rank-plan.js'
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import { encodeEach } from '../../models/encoders/encode-each.js'
import { onlyOne } from '../../base/util/only-one.js'
import type { RowMask } from '../../base/util/row-mask.js'
import { requireDimension } from '../index/dimension.js'
import { searchEach } from '../index/search-each.js'
import type { Models } from '../../models/residency/resident-encoders.js'
import type { CollectionStore } from '../index/store.js'
import { textNeighbours } from './text-neighbours.js'
import { synopsesOf } from './synopses-of.js'
import { fuseRanks, rankOffset } from './reciprocal-rank.js'

export interface FirstStage {
  /**
   * At most `count` rows, the best first. Fewer if similarity and words find fewer.
   * Rejects with the errors of models and embeddings.
   */
  candidates(request: CandidatesRequest): Promise<Uint32Array>
  /**
   * What similarity finds for each of several queries, which are encoded as one batch and share one scan, for `count`
   * candidates. A query that the encoder has no vector of has its error.
   */
  similarToEach(request: BatchRequest): Promise<readonly (SimilarRows | Error)[]>
  /** The cosines of the nearest rows' texts with those of a row; by the same vectors. */
  neighbours(request: NeighboursRequest): Promise<Cosines>
}

/** What is near a query by an encoder. */
export interface SimilarRows {
  /** The nearest first. */
  readonly rows: Uint32Array
  /** The cosine of the query and the nearest text of each row. */
  readonly cosines: Float32Array
  /** The column of that text. */
  readonly columns: Uint16Array
  /** Of the query. */
  readonly vector: Float32Array
}

interface NeighboursRequest {
  readonly dataset: DatasetInfo
  readonly row: number
  readonly mask: RowMask | undefined
  readonly signal?: AbortSignal | undefined
}

/** Works whose texts are further from those of a work that a query names are not like it. */
const maxNeighbours = 1000

interface CandidatesOptions {
  readonly dataset: DatasetInfo
  readonly count: number
  /** Rows that may be candidates; all when undefined. */
  readonly mask: RowMask | undefined
  readonly signal?: AbortSignal | undefined
  /** Called once the vectors are compared. */
  readonly onPhases?: ((phases: VectorPhases) => void) | undefined
}

export interface CandidatesRequest extends CandidatesOptions {
  readonly query: string
}

interface BatchRequest extends CandidatesOptions {
  readonly queries: readonly string[]
}

/** Milliseconds that the query waited for the encoder, was encoded and compared. */
export interface VectorPhases {
  readonly queueMs: number
  readonly tokenizeMs: number
  readonly inferMs: number
  readonly scanMs: number
}

export interface FirstStageServices {
  readonly catalogue: Pick<Catalogue, 'lexical'>
  readonly collections: Pick<CollectionStore, 'use'>
  readonly models: Pick<Models, 'use'>
  /** The bi-encoder whose vectors are compared. */
  readonly encoder: string
  /** Whether it compares synopses alone, where there are any. */
  readonly synopsesAlone?: boolean
}

export function createFirstStage(services: FirstStageServices): FirstStage {
  const { catalogue } = services

  const similarToEach = (request: BatchRequest) =>
    semanticRowsOfEach(services, request, depthOf(request.count))

  return {
    similarToEach,
    async candidates({ query, ...options }) {
      const { dataset, count, mask } = options
      const semantic = onlyOne(await similarToEach({ ...options, queries: [query] }))
      const lexical = await catalogue.lexical(dataset.name, query, depthOf(count), mask)
      const fused = fuseRanks([semantic.rows, lexical.map(({ row }) => row)], count)
      return Uint32Array.from(fused, ({ row }) => row)
    },
    neighbours: ({ dataset, row, mask, signal }) =>
      services.collections.use(dataset, services.encoder, async (collection) => {
        const { cosines } = await textNeighbours(collection, row, maxNeighbours, mask, signal)
        return cosines
      }),
  }
}

/** The first rows by similarity alone, at most `depth`. */
export async function semanticRows(
  services: FirstStageServices,
  { query, ...options }: CandidatesRequest,
  depth: number,
): Promise<Uint32Array> {
  return onlyOne(await semanticRowsOfEach(services, { ...options, queries: [query] }, depth)).rows
}

function semanticRowsOfEach(
  { models, collections, encoder: model, synopsesAlone = false }: FirstStageServices,
  { dataset, queries, mask, signal, onPhases }: BatchRequest,
  depth: number,
): Promise<readonly (SimilarRows | Error)[]> {
  return models.use(model, (encoder) =>
    collections.use(dataset, model, async ({ index, columns: datasetColumns }) => {
      const only = synopsesAlone ? synopsesOf(index) : {}
      requireDimension(encoder, index, dataset.name)
      const { vectors, timings } = await encodeEach(encoder, queries, { signal, as: 'query' })
      const encoded = performance.now()
      // A vector is zero where the model knows no token of the query: nothing is similar.
      const similar = vectors.filter(
        (vector) => vector instanceof Float32Array && vector.some((value) => value !== 0),
      ) as Float32Array[]
      const found = await searchEach(index, similar, Math.min(depth, index.rows), {
        ...only,
        mask,
        signal,
      })
      const scanMs = similar.length === 0 ? 0 : performance.now() - encoded
      onPhases?.({ ...timings, scanMs })
      return vectors.map((vector) => {
        if (vector instanceof Error) return vector
        const { rows, scores, columns } = found[similar.indexOf(vector)] ?? nothingFound
        return {
          rows,
          cosines: scores,
          columns: columns.map((column) => datasetColumns[column] ?? 0),
          vector,
        }
      })
    }),
  )
}

const nothingFound = {
  rows: new Uint32Array(0),
  scores: new Float32Array(0),
  columns: new Uint16Array(0),
}

/**
 * How deep both lists are read. A row that is deeper in both scores less than each of the first `count`
 * rows of one list.
 */
export const depthOf = (count: number): number => 2 * count + rankOffset

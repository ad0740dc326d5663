/**
 * The first of two stages: candidates by similarity and by words. A scan of vectors alone misses one
 * entry in ten, because queries contain names; words alone miss entries that are described in other words.
 */
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import type { RowMask } from '../util/row-mask.js'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.js'
import { requireDimension } from '../index/dimension.js'
import type { Models } from '../residency/resident-encoders.js'
import type { CollectionStore } from '../index/store.js'
import { textNeighbours } from './text-neighbours.js'
import { fuseRanks, rankOffset } from './reciprocal-rank.js'

export interface FirstStage {
  /**
   * At most `count` rows, the best first. Fewer if similarity and words find fewer.
   * Rejects with the errors of models and embeddings.
   */
  candidates(request: CandidatesRequest): Promise<Uint32Array>
  /** The cosine of every row's texts with those of a row, NaN beyond the nearest; by the same vectors. */
  neighbours(request: NeighboursRequest): Promise<Float32Array>
}

export interface NeighboursRequest {
  readonly dataset: DatasetInfo
  readonly row: number
  readonly mask: RowMask | undefined
  readonly signal?: AbortSignal | undefined
}

/** Works whose texts are further from those of a work that a query names are not like it. */
const maxNeighbours = 1000

export interface CandidatesRequest {
  readonly dataset: DatasetInfo
  readonly query: string
  readonly count: number
  /** Rows that may be candidates; all when undefined. */
  readonly mask: RowMask | undefined
  readonly signal?: AbortSignal | undefined
  /** Called once the vectors are compared. */
  readonly onPhases?: ((phases: VectorPhases) => void) | undefined
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
}

export function createFirstStage(services: FirstStageServices): FirstStage {
  const { catalogue } = services
  return {
    async candidates(request) {
      const { dataset, query, count, mask } = request
      const depth = depthOf(count)
      const semantic = await semanticRows(services, request, depth)
      await yieldToEventLoop()
      const lexical = catalogue.lexical(dataset.name, query, depth, mask)
      const fused = fuseRanks([semantic, lexical.map(({ row }) => row)], count)
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
export function semanticRows(
  { models, collections, encoder: model }: FirstStageServices,
  { dataset, query, mask, signal, onPhases }: CandidatesRequest,
  depth: number,
): Promise<Uint32Array> {
  return models.use(model, (encoder) =>
    collections.use(dataset, model, async ({ index }) => {
      requireDimension(encoder, index, dataset.name)
      const { vectors, timings } = await encoder.encode([query], { signal })
      const encoded = performance.now()
      // The model knows no token of the query: nothing is similar.
      if (vectors.every((value) => value === 0)) {
        onPhases?.({ ...timings, scanMs: 0 })
        return new Uint32Array(0)
      }
      const k = Math.min(depth, index.rows)
      const { rows, counts } = await index.search(vectors, 1, k, { mask, signal })
      onPhases?.({ ...timings, scanMs: performance.now() - encoded })
      return rows.subarray(0, counts[0])
    }),
  )
}

/**
 * How deep both lists are read. A row that is deeper in both scores less than each of the first `count`
 * rows of one list.
 */
const depthOf = (count: number): number => 2 * count + rankOffset

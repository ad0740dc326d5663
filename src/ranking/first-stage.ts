/**
 * The first of two stages: entries that may answer a query, by similarity and by words. A scan of
 * vectors alone loses one wanted entry in ten, because names occur in queries; words alone lose those
 * that are described in other words.
 */
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import type { RowMask } from '../util/row-mask.js'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.js'
import { requireDimension } from '../index/dimension.js'
import type { Models } from '../residency/resident-encoders.js'
import type { CollectionStore } from '../index/store.js'
import { fuseRanks, rankOffset } from './reciprocal-rank.js'

export interface FirstStage {
  /**
   * At most `count` rows, the best first; fewer where neither similarity nor words find as many.
   * Rejects with the errors of models and embeddings.
   */
  candidates(request: CandidatesRequest): Promise<Uint32Array>
}

export interface CandidatesRequest {
  readonly dataset: DatasetInfo
  readonly query: string
  readonly count: number
  /** Rows that may be candidates; all when undefined. */
  readonly mask: RowMask | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FirstStageServices {
  readonly catalogue: Pick<Catalogue, 'lexical'>
  readonly collections: Pick<CollectionStore, 'use'>
  readonly models: Pick<Models, 'use'>
  /** The bi-encoder by whose vectors similarity is judged. */
  readonly encoder: string
}

export function createFirstStage(services: FirstStageServices): FirstStage {
  const { catalogue } = services
  return {
    async candidates(request) {
      const { dataset, query, count, mask } = request
      const depth = depthOf(count)
      const similar = await similarRows(services, request, depth)
      await yieldToEventLoop()
      const worded = catalogue.lexical(dataset.name, query, depth, mask)
      const fused = fuseRanks([similar, worded.map(({ row }) => row)], count)
      return Uint32Array.from(fused, ({ row }) => row)
    },
  }
}

/** The first rows by similarity alone, at most `depth`. */
export function similarRows(
  { models, collections, encoder: model }: FirstStageServices,
  { dataset, query, mask, signal }: CandidatesRequest,
  depth: number,
): Promise<Uint32Array> {
  return models.use(model, (encoder) =>
    collections.use(dataset, model, async ({ index }) => {
      requireDimension(encoder, index, dataset.name)
      const { vectors } = await encoder.encode([query], { signal })
      // Nothing is similar to a query without a token that the model knows.
      if (vectors.every((value) => value === 0)) return new Uint32Array(0)
      const k = Math.min(depth, index.rows)
      const { rows, counts } = await index.search(vectors, 1, k, { mask, signal })
      return rows.subarray(0, counts[0])
    }),
  )
}

/**
 * How far the lists have to be read: a row that stands deeper in both has less than what one list
 * alone gives each of its first `count`.
 */
const depthOf = (count: number): number => 2 * count + rankOffset

/** Descriptions by their vectors: encoded as one batch, compared in one scan, a page for each. */
import type { Catalogue } from '../../data/catalogue/catalogue.js'
import { encodeEach, type EachEncoded } from '../../models/encoders/encode-each.js'
import type { Encoder } from '../../models/encoders/encoder.js'
import { ValidationError } from '../../base/errors/index.js'
import { requireDimension } from '../index/dimension.js'
import type { Collection } from '../index/store.js'
import { withErrors } from '../../base/util/with-errors.js'
import {
  hybridSearch,
  semanticSearch,
  type HitPage,
  type SearchMode,
  type SearchRequest,
} from './modes.js'

export interface Search {
  readonly query: {
    readonly model?: string | undefined
    readonly mode?: SearchMode
    readonly descriptions: readonly string[]
  }
  readonly request: SearchRequest
}

export interface Outcome {
  /** In the order of the descriptions; an error for one that cannot be answered. */
  readonly pages: readonly (HitPage | Error)[]
  /** For pages that name none. */
  readonly device: string
  readonly encoding: EachEncoded['timings']
  readonly scanMs: number
}

export interface VectorServices {
  readonly encoder: Encoder
  readonly collection: Collection
  readonly catalogue: Catalogue
}

export async function findByVector(
  { query, request }: Search,
  { encoder, collection, catalogue }: VectorServices,
): Promise<Outcome> {
  requireDimension(encoder, collection.index, request.dataset.name)
  const { signal } = request
  const { vectors, timings } = await encodeEach(encoder, query.descriptions, {
    signal,
    as: 'query',
  })
  const isHybrid = query.mode === 'hybrid'
  const each = isHybrid ? vectors : vectors.map(requireWords)
  const begunMs = performance.now()
  const sound = each.filter((vector) => vector instanceof Float32Array)
  const descriptions = query.descriptions.filter((_, i) => !(each[i] instanceof Error))
  const found = isHybrid
    ? await hybridSearch(request, collection, sound, { catalogue, descriptions })
    : await semanticSearch(request, collection, sound)
  const scanMs = performance.now() - begunMs
  const { device } = encoder
  return { pages: withErrors(each, found), device, encoding: timings, scanMs }
}

/** The vector of a text without a known token is zero, and nothing is similar to it. */
function requireWords<Vector extends Float32Array | Error>(
  vector: Vector,
): Vector | ValidationError {
  if (vector instanceof Error || vector.some((value) => value !== 0)) return vector
  const message = 'must contain a word that the model knows'
  return new ValidationError([{ path: 'description', message }])
}

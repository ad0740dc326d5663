/** Messages between an encoder (main thread) and its worker. Both sides send one message per turn. */

import type { Batch } from '../../base/observability/metrics-sink.js'
import type { TextInput } from './encoder.js'
import type { Vocabulary } from './vocabulary.js'

/** What a worker is started with. */
export interface WorkerStart {
  readonly model: string
  readonly folder: string
  /** Threads of the session inside the model. */
  readonly threads: number
  /** Default `encoder`. */
  readonly kind?: 'encoder' | 'cross-encoder'
  /** `cpu`, which is the default, or `cuda:N`. */
  readonly device?: string
  /** Whether it reads texts in batches even if a vector then depends on the other texts. */
  readonly batches?: boolean | undefined
}

export interface EncodeRequest {
  readonly id: number
  readonly texts: readonly TextInput[]
  readonly bulk: boolean
  /** Of a cross-encoder, whose answer has one number a text. */
  readonly pairs?: PairRequest | undefined
  /** Wants the texts' token ids and no vectors. */
  readonly idsOnly?: boolean
  /** `nowMs()` at the caller's request. */
  readonly requestedMs: number
}

export interface PairRequest {
  /** The first text of every pair. */
  readonly query: string
  /** Pairs that the model reads at once. */
  readonly batchSize: number
}

export type ToWorker =
  | {
      readonly kind: 'work'
      readonly requests: readonly EncodeRequest[]
      /** Requests to drop; ids that are unknown or answered are ignored. */
      readonly cancelled: readonly number[]
    }
  | { readonly kind: 'close' }

/** What became of one request; a failed one carries no vectors. */
interface EncodeAnswer {
  readonly id: number
  /** Texts whose token counts follow; like the other counts 0 where the request failed. */
  readonly count: number
  /** Vectors that follow; 0 for a request of ids. */
  readonly vectorCount: number
  /** Token ids that follow; 0 but for a request of ids. */
  readonly idCount: number
  readonly truncated: number
  /** Pairs whose query was cut too. */
  readonly queriesTruncated: number
  readonly queueMs: number
  readonly tokenizeMs: number
  readonly inferMs: number
  /** Why there are no vectors. */
  readonly error?: string
  /** Positions of the texts whose vectors are not finite. */
  readonly badTexts: readonly number[]
}

/** What is known of a model once it is loaded. */
export interface ModelFacts {
  readonly dimension: number
  readonly maxTokens: number
  readonly cosineInBatch: number
  readonly vocabulary: Vocabulary
  /** Of an encoder's files, to which embeddings are bound. */
  readonly revision: string | undefined
}

export type FromWorker =
  | { readonly kind: 'ready'; readonly facts: ModelFacts }
  | { readonly kind: 'unloadable'; readonly problem: string }
  | {
      readonly kind: 'answers'
      readonly answers: readonly EncodeAnswer[]
      /** Vectors of the answers without ids, one after the other; the buffer is transferred. */
      readonly vectors: Float32Array
      /** The answers' token counts one after the other; the buffer is transferred. */
      readonly tokens: Uint32Array
      /** The answers' token ids one after the other; the buffer is transferred. */
      readonly ids: Uint32Array
      /** What the model has read since the last message. */
      readonly batches: readonly Batch[]
    }

/** Milliseconds of the clock that all threads of a process share. */
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6

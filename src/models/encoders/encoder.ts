/** What turns texts into vectors, whatever runs behind it. */
import type { Vocabulary } from './vocabulary.js'

export interface EncodeOptions {
  /** Aborting drops the texts that are not encoded yet; the promise rejects with the reason. */
  readonly signal?: AbortSignal | undefined
  /** Interactive work goes before bulk work. Default `interactive`. */
  readonly priority?: 'interactive' | 'bulk'
  /** What the texts are, for a model that expects different prompts before them; as they are where absent. */
  readonly as?: 'query' | 'passage'
}

/** A text, or the ids of its tokens, which the model reads as they are: special tokens are not added. */
export type TextInput = string | readonly number[]

export interface Encoding {
  /** texts x dimension, row-major. The vector of a text without tokens is zero. */
  readonly vectors: Float32Array
  /** Tokens of each text after truncation. */
  readonly tokens: Uint32Array
  /** Texts that were longer than the model's maximum and were cut. */
  readonly truncated: number
  /** Milliseconds spent waiting, tokenising and in the model. */
  readonly timings: {
    readonly queueMs: number
    readonly tokenizeMs: number
    readonly inferMs: number
  }
}

export interface Tokens {
  /** Ids of all texts one after the other. */
  readonly ids: Uint32Array
  /** Tokens of each text after truncation. */
  readonly counts: Uint32Array
}

export interface Encoder {
  /** Name as in the catalogue of models, e.g. `builtin/static-en`. */
  readonly model: string
  readonly dimension: number
  /** Longest input in tokens, special tokens included. */
  readonly maxTokens: number
  readonly vocabulary: Vocabulary
  readonly device: string
  /** Of the files that it was loaded from: `modelRevision`; a cross-encoder has none. */
  readonly revision: string | undefined
  encode(texts: readonly TextInput[], options?: EncodeOptions): Promise<Encoding>
  /** The tokens that the model reads of each text, those it is marked with included. */
  tokenize(texts: readonly string[], options?: EncodeOptions): Promise<Tokens>
  /** Idempotent; work in flight is rejected. */
  close(): Promise<void>
}

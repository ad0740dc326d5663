/** Vectors and scores of texts that callers send, by the models that serve the searches. */
import type { TextInput } from '../../models/encoders/encoder.js'
import type { ReadOptions, Token } from './caller-tokenizers.js'
import type { ServedModel } from './served-models.js'

export type { TextInput } from '../../models/encoders/encoder.js'

export interface Inference {
  /** Models that are used where a request names none. */
  readonly defaults: { readonly encoder: string; readonly ranker: string }
  /** Everything installed that a request may name. */
  models(): Promise<readonly ServedModel[]>
  /** One of them. Rejects with a ModelNotFoundError. */
  model(name: string): Promise<ServedModel>
  /** What is known of an encoder; loads it. Rejects as `embed` does. */
  encoderFacts(name: string | undefined): Promise<EncoderFacts>
  /**
   * Rejects with a ModelNotFoundError, a ValidationError, or the errors of models. Aborting the signal
   * drops the texts that are not encoded yet.
   */
  embed(request: EmbedRequest, signal?: AbortSignal): Promise<Embedded>
  /** The tokens of whole texts, as a model reads them. Rejects as `embed` does. */
  tokenize(request: TokenizeRequest): Promise<Token[][]>
  /** Rejects as `embed` does. */
  score(request: ScoreRequest, signal?: AbortSignal): Promise<Scored>
}

interface EmbedRequest extends ReadOptions {
  /** The default encoder where absent. */
  readonly model: string | undefined
  readonly inputs: readonly TextInput[]
  /** Length of the vectors; only lengths that the model is trained for. */
  readonly dimensions?: number | undefined
  /** Whether vectors have length 1; as the model makes them by default. */
  readonly normalize?: boolean
}

interface TokenizeRequest {
  /** The default encoder where absent. */
  readonly model: string | undefined
  readonly texts: readonly string[]
  /** Name of the model's prompt to put before each text. */
  readonly promptName?: string | undefined
  /** Whether to add the tokens that the model marks a text with. */
  readonly specialTokens: boolean
}

interface Embedded {
  readonly model: string
  /** Texts x dimension. */
  readonly vectors: Float32Array
  readonly dimension: number
  /** Read by the model, special tokens included. */
  readonly tokens: number
  /** Texts that were longer than the model reads and were cut. */
  readonly truncated: number
  readonly timings: EncodeTimings
}

export interface EncodeTimings {
  readonly queueMs: number
  readonly tokenizeMs: number
  readonly inferMs: number
}

interface ScoreRequest {
  /** A cross-encoder or the built-in ranker; the default ranker where absent. */
  readonly model: string | undefined
  readonly query: string
  readonly texts: readonly string[]
}

export interface Scored {
  readonly model: string
  /** One a text, 0 to 1. */
  readonly scores: Float32Array
  /** Read by the model, of all pairs. */
  readonly tokens: number
  readonly truncated: number
}

interface EncoderFacts {
  readonly model: string
  readonly dimension: number
  readonly maxTokens: number
  readonly revision: string | undefined
  /** Such as `mean`; undefined where the catalogue does not say. */
  readonly pooling: string | undefined
  /** Names of its prompts. */
  readonly prompts: readonly string[]
}

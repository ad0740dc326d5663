/** The table from error class to status and title. Nothing else knows status numbers. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { CatalogueError } from '../errors/catalogue-error.js'
import { ClientGoneError } from '../errors/client-gone-error.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { DeadlineError } from '../errors/deadline-error.js'
import { DimensionMismatchError } from '../errors/dimension-mismatch-error.js'
import { EmbeddingsBrokenError } from '../errors/embeddings-broken-error.js'
import { EmbeddingsMissingError } from '../errors/embeddings-missing-error.js'
import { EmbeddingsStaleError } from '../errors/embeddings-stale-error.js'
import { EncoderError } from '../errors/encoder-error.js'
import { ExpectationFailedError } from '../errors/expectation-failed-error.js'
import { HeadersTooLargeError } from '../errors/headers-too-large-error.js'
import { IndexMismatchError } from '../errors/index-mismatch-error.js'
import { IndexUnavailableError } from '../errors/index-unavailable-error.js'
import { KeyRequiredError } from '../errors/key-required-error.js'
import { MalformedRequestError } from '../errors/malformed-request-error.js'
import { MapMissingError } from '../errors/map-missing-error.js'
import { MethodNotAllowedError } from '../errors/method-not-allowed-error.js'
import { ModelLoadError } from '../errors/model-load-error.js'
import { ModelNotFoundError } from '../errors/model-not-found-error.js'
import { ModelNotInstalledError } from '../errors/model-not-installed-error.js'
import { NotFoundError } from '../errors/not-found-error.js'
import { OverloadedError } from '../errors/overloaded-error.js'
import { PayloadTooLargeError } from '../errors/payload-too-large-error.js'
import { RateLimitedError } from '../errors/rate-limited-error.js'
import { ScopeError } from '../errors/scope-error.js'
import { SlowRequestError } from '../errors/slow-request-error.js'
import { StoppingError } from '../errors/stopping-error.js'
import { TooManyInputsError } from '../errors/too-many-inputs-error.js'
import { TransferCodingError } from '../errors/transfer-coding-error.js'
import { UnsupportedMediaTypeError } from '../errors/unsupported-media-type-error.js'
import { ValidationError } from '../errors/validation-error.js'

export interface ProblemKind {
  readonly status: ContentfulStatusCode
  /** Last part of the problem's `type`; stable, for programs. */
  readonly name: string
  readonly title: string
  /** Replaces the error's message, which may hold paths or texts. */
  readonly detail?: string
}

const kinds = new Map<unknown, ProblemKind>([
  [ValidationError, { status: 400, name: 'invalid-request', title: 'Invalid request' }],
  [MalformedRequestError, { status: 400, name: 'malformed-request', title: 'Malformed request' }],
  [KeyRequiredError, { status: 401, name: 'unauthorized', title: 'Key needed' }],
  [ScopeError, { status: 403, name: 'forbidden', title: 'Not with this key' }],
  [ModelNotFoundError, { status: 404, name: 'model-not-found', title: 'Model not found' }],
  [NotFoundError, { status: 404, name: 'not-found', title: 'Not found' }],
  [MapMissingError, { status: 404, name: 'map-missing', title: 'Map missing' }],
  [MethodNotAllowedError, { status: 405, name: 'method-not-allowed', title: 'Method not allowed' }],
  [SlowRequestError, { status: 408, name: 'slow-request', title: 'Request too slow' }],
  [TooManyInputsError, { status: 413, name: 'too-many-inputs', title: 'Too many inputs' }],
  [PayloadTooLargeError, { status: 413, name: 'payload-too-large', title: 'Body too large' }],
  [
    UnsupportedMediaTypeError,
    { status: 415, name: 'unsupported-media-type', title: 'Unsupported media type' },
  ],
  [
    ExpectationFailedError,
    { status: 417, name: 'expectation-failed', title: 'Expectation failed' },
  ],
  [RateLimitedError, { status: 429, name: 'rate-limited', title: 'Too many requests' }],
  [HeadersTooLargeError, { status: 431, name: 'headers-too-large', title: 'Headers too large' }],
  // No client receives this response; 499 is the number that proxies log for it.
  [
    ClientGoneError,
    { status: 499 as ContentfulStatusCode, name: 'client-gone', title: 'Client gone' },
  ],
  [DatasetMissingError, { status: 500, name: 'dataset-missing', title: 'Dataset missing' }],
  [
    EmbeddingsMissingError,
    { status: 500, name: 'embeddings-missing', title: 'Embeddings missing' },
  ],
  [EmbeddingsStaleError, { status: 500, name: 'embeddings-stale', title: 'Embeddings stale' }],
  [IndexMismatchError, { status: 500, name: 'index-mismatch', title: 'Index does not match' }],
  [
    DimensionMismatchError,
    { status: 500, name: 'dimension-mismatch', title: 'Dimensions do not match' },
  ],
  [
    ModelNotInstalledError,
    { status: 500, name: 'model-not-installed', title: 'Model not installed' },
  ],
  [
    ModelLoadError,
    {
      status: 500,
      name: 'model-load-failed',
      title: 'Model does not load',
      detail: 'The model is installed but cannot be loaded; the log of the server says why.',
    },
  ],
  [
    EncoderError,
    {
      status: 500,
      name: 'encoding-failed',
      title: 'Encoding failed',
      detail: 'The model failed on this text; the log of the server says why.',
    },
  ],
  [
    TransferCodingError,
    { status: 501, name: 'unsupported-transfer-coding', title: 'Unsupported transfer coding' },
  ],
  [EmbeddingsBrokenError, { status: 503, name: 'embeddings-broken', title: 'Embeddings broken' }],
  [
    CatalogueError,
    {
      status: 503,
      name: 'catalogue-broken',
      title: 'Catalogue broken',
      detail: 'The catalogue is damaged; the log of the server says what mends it.',
    },
  ],
  [IndexUnavailableError, { status: 503, name: 'index-unavailable', title: 'Index unavailable' }],
  [OverloadedError, { status: 503, name: 'overloaded', title: 'Server busy' }],
  [StoppingError, { status: 503, name: 'stopping', title: 'Server stopping' }],
  [DeadlineError, { status: 503, name: 'deadline-exceeded', title: 'Took too long' }],
])

const internal: ProblemKind = {
  status: 500,
  name: 'internal-error',
  title: 'Internal error',
  detail: 'Something went wrong inside the server; its log says more under this requestId.',
}

/** Every kind, by status. */
export const problemKinds: readonly ProblemKind[] = [...kinds.values(), internal].sort(
  (a, b) => a.status - b.status,
)

/** Returns the kind of anything thrown; what the table does not list is an internal error. */
export function problemKind(error: unknown): ProblemKind {
  return (error instanceof Error ? kinds.get(error.constructor) : undefined) ?? internal
}

/** The table of all problems: error class, status, name and title. Nothing else knows status numbers. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import {
  CatalogueError,
  ClientGoneError,
  DatasetMissingError,
  DeadlineError,
  DimensionMismatchError,
  EmbeddingsBrokenError,
  EmbeddingsMissingError,
  EmbeddingsStaleError,
  EncoderError,
  ExpectationFailedError,
  ForeignRequestError,
  HeadersTooLargeError,
  IndexMismatchError,
  IndexUnavailableError,
  JournalBusyError,
  KeyRequiredError,
  MalformedRequestError,
  MapMissingError,
  MethodNotAllowedError,
  ModelLoadError,
  ModelNotFoundError,
  ModelNotInstalledError,
  NotAcceptableError,
  NotFoundError,
  OverloadedError,
  PayloadTooLargeError,
  RateLimitedError,
  ScopeError,
  SlowRequestError,
  StoppingError,
  TooManyInputsError,
  TransferCodingError,
  UnsupportedMediaTypeError,
  UnsupportedValueError,
  UpstreamError,
  ValidationError,
  WritesOffError,
} from '../../base/errors/index.js'

export interface ProblemKind {
  readonly status: ContentfulStatusCode
  /** Last part of the problem's `type`; stable, for programs. */
  readonly name: string
  readonly title: string
  /** Replaces the error's message, which may hold paths or texts. */
  readonly detail?: string
}

type Row = [kind: unknown, status: number, name: string, title: string, detail?: string]

const rows: readonly Row[] = [
  [ValidationError, 400, 'invalid-request', 'Invalid request'],
  [MalformedRequestError, 400, 'malformed-request', 'Malformed request'],
  [KeyRequiredError, 401, 'unauthorized', 'Key needed'],
  [ScopeError, 403, 'forbidden', 'Not with this key'],
  [ForeignRequestError, 403, 'foreign-request', 'Not from this page'],
  [ModelNotFoundError, 404, 'model-not-found', 'Model not found'],
  [ModelNotInstalledError, 404, 'model-not-installed', 'Model not installed'],
  [NotFoundError, 404, 'not-found', 'Not found'],
  [WritesOffError, 404, 'writes-off', 'No writes'],
  [MapMissingError, 404, 'map-missing', 'Map missing'],
  [MethodNotAllowedError, 405, 'method-not-allowed', 'Method not allowed'],
  [NotAcceptableError, 406, 'not-acceptable', 'Not acceptable'],
  [SlowRequestError, 408, 'slow-request', 'Request too slow'],
  [JournalBusyError, 409, 'journal-busy', 'Writes go elsewhere'],
  [TooManyInputsError, 413, 'too-many-inputs', 'Too many inputs'],
  [PayloadTooLargeError, 413, 'payload-too-large', 'Body too large'],
  [UnsupportedMediaTypeError, 415, 'unsupported-media-type', 'Unsupported media type'],
  [ExpectationFailedError, 417, 'expectation-failed', 'Expectation failed'],
  [UnsupportedValueError, 422, 'unsupported-value', 'Value not supported'],
  [RateLimitedError, 429, 'rate-limited', 'Too many requests'],
  [HeadersTooLargeError, 431, 'headers-too-large', 'Headers too large'],
  // No client receives this response; 499 is the number that proxies log for it.
  [ClientGoneError, 499, 'client-gone', 'Client gone'],
  [DatasetMissingError, 500, 'dataset-missing', 'Dataset missing'],
  [EmbeddingsMissingError, 500, 'embeddings-missing', 'Embeddings missing'],
  [EmbeddingsStaleError, 500, 'embeddings-stale', 'Embeddings stale'],
  [IndexMismatchError, 500, 'index-mismatch', 'Index does not match'],
  [DimensionMismatchError, 500, 'dimension-mismatch', 'Dimensions do not match'],
  [
    ModelLoadError,
    500,
    'model-load-failed',
    'Model does not load',
    'The model is installed but cannot be loaded; the log of the server says why.',
  ],
  [
    EncoderError,
    500,
    'encoding-failed',
    'Encoding failed',
    'The model failed on this text; the log of the server says why.',
  ],
  [TransferCodingError, 501, 'unsupported-transfer-coding', 'Unsupported transfer coding'],
  [UpstreamError, 502, 'upstream-failed', 'Another service failed'],
  [EmbeddingsBrokenError, 503, 'embeddings-broken', 'Embeddings broken'],
  [
    CatalogueError,
    503,
    'catalogue-broken',
    'Catalogue broken',
    'The catalogue is damaged; the log of the server says what mends it.',
  ],
  [IndexUnavailableError, 503, 'index-unavailable', 'Index unavailable'],
  [OverloadedError, 503, 'overloaded', 'Server busy'],
  [StoppingError, 503, 'stopping', 'Server stopping'],
  [DeadlineError, 503, 'deadline-exceeded', 'Took too long'],
]

const kinds = new Map(
  rows.map(([kind, status, name, title, detail]): [unknown, ProblemKind] => [
    kind,
    { status: status as ContentfulStatusCode, name, title, ...(detail && { detail }) },
  ]),
)

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

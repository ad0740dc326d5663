/** The bodies of the problems, as the errors themselves make them: `components.examples`. */
import { CatalogueError } from '../../errors/catalogue-error.js'
import { DatasetMissingError } from '../../errors/dataset-missing-error.js'
import { DeadlineError } from '../../errors/deadline-error.js'
import { DimensionMismatchError } from '../../errors/dimension-mismatch-error.js'
import { EmbeddingsBrokenError } from '../../errors/embeddings-broken-error.js'
import { EmbeddingsMissingError } from '../../errors/embeddings-missing-error.js'
import { EmbeddingsStaleError } from '../../errors/embeddings-stale-error.js'
import { EncoderError } from '../../errors/encoder-error.js'
import { ExpectationFailedError } from '../../errors/expectation-failed-error.js'
import { HeadersTooLargeError } from '../../errors/headers-too-large-error.js'
import { IndexMismatchError } from '../../errors/index-mismatch-error.js'
import { IndexUnavailableError } from '../../errors/index-unavailable-error.js'
import { KeyRequiredError } from '../../errors/key-required-error.js'
import { MalformedRequestError } from '../../errors/malformed-request-error.js'
import { MapMissingError } from '../../errors/map-missing-error.js'
import { MethodNotAllowedError } from '../../errors/method-not-allowed-error.js'
import { ModelLoadError } from '../../errors/model-load-error.js'
import { ModelNotFoundError } from '../../errors/model-not-found-error.js'
import { ModelNotInstalledError } from '../../errors/model-not-installed-error.js'
import { NotFoundError } from '../../errors/not-found-error.js'
import { OverloadedError } from '../../errors/overloaded-error.js'
import { PayloadTooLargeError } from '../../errors/payload-too-large-error.js'
import { RateLimitedError } from '../../errors/rate-limited-error.js'
import { ScopeError } from '../../errors/scope-error.js'
import { SlowRequestError } from '../../errors/slow-request-error.js'
import { StoppingError } from '../../errors/stopping-error.js'
import { TooManyInputsError } from '../../errors/too-many-inputs-error.js'
import { TransferCodingError } from '../../errors/transfer-coding-error.js'
import { UnsupportedMediaTypeError } from '../../errors/unsupported-media-type-error.js'
import { ValidationError } from '../../errors/validation-error.js'
import { problemResponse } from '../problem.js'
import { exampleRequestId } from './headers.js'
import type { Example } from './example.js'

const model = 'encoders/all-MiniLM-L6-v2'
const errors: readonly Error[] = [
  new ValidationError([
    { path: 'page', message: 'expected an integer from 1 to 10000, received 0' },
  ]),
  new MalformedRequestError(),
  new KeyRequiredError('missing'),
  new ScopeError('admin', ['search']),
  new ModelNotFoundError(
    'unknown model "gpt"; the nearest are builtin/static-en. GET /v1/models lists what is served.',
  ),
  new NotFoundError('There is nothing at this path.'),
  new MapMissingError('manga'),
  new MethodNotAllowedError('GET', ['POST', 'OPTIONS']),
  new SlowRequestError(),
  new TooManyInputsError('input', 10_000, 2048),
  new PayloadTooLargeError(65_536),
  new UnsupportedMediaTypeError('Expected the header Content-Type: application/json.'),
  new ExpectationFailedError(),
  new RateLimitedError({ group: 'searchmodel', perSecond: 1 }),
  new HeadersTooLargeError(),
  new DatasetMissingError('manga'),
  new EmbeddingsMissingError('anime', model),
  new EmbeddingsStaleError('anime', model),
  new IndexMismatchError('anime', model),
  new DimensionMismatchError('anime', model, 384, 256),
  new ModelNotInstalledError(model, 'sentence-transformers/all-MiniLM-L6-v2'),
  new ModelLoadError(model, 'tokenizer.json is missing'),
  new EncoderError(model, 'failed', 'stopped'),
  new TransferCodingError(),
  new EmbeddingsBrokenError('anime', model),
  new CatalogueError('corrupt', 'catalogue.sqlite', 'the catalogue is damaged'),
  new IndexUnavailableError('a part of the index is missing'),
  new OverloadedError(),
  new StoppingError(),
  new DeadlineError(30),
  new Error('anything else'),
]

/** By the name of the kind. */
export const problemExamples: Readonly<Record<string, Example>> = Object.fromEntries(
  errors.map((error) => {
    const { kind, body } = problemResponse(error, exampleRequestId)
    return [kind.name, { summary: kind.title, value: body }]
  }),
)

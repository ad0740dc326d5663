/** The bodies of the problems, as the errors themselves make them: `components.examples`. */
import {
  CatalogueError,
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
} from '../../../base/errors/index.js'
import { problemResponse } from '../../problems/problem.js'
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
  new ForeignRequestError('Expected a Host that is a name of this machine, received evil.example.'),
  new ModelNotFoundError(
    'unknown model "gpt"; the nearest are builtin/static-en. GET /v1/models lists what is served.',
  ),
  new NotFoundError('There is nothing at this path.'),
  new MapMissingError('manga'),
  new MethodNotAllowedError('GET', ['POST', 'OPTIONS']),
  new NotAcceptableError('Expected Accept to name application/json and text/event-stream.'),
  new SlowRequestError(),
  new TooManyInputsError('input', 10_000, 2048),
  new PayloadTooLargeError(65_536),
  new UnsupportedMediaTypeError('Expected the header Content-Type: application/json.'),
  new ExpectationFailedError(),
  new UnsupportedValueError([
    { path: 'truncation_direction', message: 'expected Right, received Left' },
  ]),
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
  new UpstreamError(
    'EDEADLINE',
    'AniList accepts no more requests for now. Try again in 60 seconds.',
  ),
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

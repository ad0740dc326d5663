/** The bodies of the problems, as the errors themselves make them: `components.examples`. */
import * as errors from '../../../base/errors/index.js'
import { problemResponse } from '../../problems/problem.js'
import { exampleRequestId } from './headers.js'
import type { Example } from './example.js'

const model = 'encoders/all-MiniLM-L6-v2'
const examples: readonly Error[] = [
  new errors.ValidationError([
    { path: 'page', message: 'expected an integer from 1 to 10000, received 0' },
  ]),
  new errors.MalformedRequestError(),
  new errors.KeyRequiredError('missing'),
  new errors.ScopeError('admin', ['search']),
  new errors.ForeignRequestError(
    'Expected a Host that is a name of this machine, received evil.example.',
  ),
  new errors.WritesOffError(),
  new errors.ModelNotFoundError(
    'unknown model "gpt"; the nearest are builtin/static-en. GET /v1/models lists what is served.',
  ),
  new errors.NotFoundError('There is nothing at this path.'),
  new errors.MapMissingError('manga'),
  new errors.MethodNotAllowedError('GET', ['POST', 'OPTIONS']),
  new errors.NotAcceptableError('Expected Accept to name application/json and text/event-stream.'),
  new errors.SlowRequestError(),
  new errors.JournalBusyError(),
  new errors.TooManyInputsError('input', 10_000, 2048),
  new errors.PayloadTooLargeError(2 ** 20),
  new errors.UnsupportedMediaTypeError('Expected the header Content-Type: application/json.'),
  new errors.ExpectationFailedError(),
  new errors.UnsupportedValueError([
    { path: 'truncation_direction', message: 'expected Right, received Left' },
  ]),
  new errors.RateLimitedError({ group: 'searchmodel', perSecond: 1 }),
  new errors.HeadersTooLargeError(),
  new errors.DatasetMissingError('manga'),
  new errors.EmbeddingsMissingError('anime', model),
  new errors.EmbeddingsStaleError('anime', model),
  new errors.IndexMismatchError('anime', model),
  new errors.DimensionMismatchError('anime', model, 384, 256),
  new errors.ModelNotInstalledError(model, 'sentence-transformers/all-MiniLM-L6-v2'),
  new errors.ModelLoadError(model, 'tokenizer.json is missing'),
  new errors.EncoderError(model, 'failed', 'stopped'),
  new errors.TransferCodingError(),
  new errors.UpstreamError(
    'EDEADLINE',
    'AniList accepts no more requests for now. Try again in 60 seconds.',
  ),
  new errors.EmbeddingsBrokenError('anime', model),
  new errors.CatalogueError('corrupt', 'catalogue.sqlite', 'the catalogue is damaged'),
  new errors.IndexUnavailableError('a part of the index is missing'),
  new errors.OverloadedError(),
  new errors.StoppingError(),
  new errors.DeadlineError(30),
  new Error('anything else'),
]

/** By the name of the kind. */
export const problemExamples: Readonly<Record<string, Example>> = Object.fromEntries(
  examples.map((error) => {
    const { kind, body } = problemResponse(error, exampleRequestId)
    return [kind.name, { summary: kind.title, value: body }]
  }),
)

/** When each problem is returned, and the responses of an operation that are problems. */
import { problemKinds, type ProblemKind } from '../../problems/error-status.js'
import { problem } from '../../schemas/problem.js'
import { headers, type HeaderName } from './headers.js'
import { referenceTo, type JsonObject } from './json-schema.js'
import type { ProblemBody } from '../../problems/problem-body.js'
import type { ErrorShape } from '../v1/error-shapes.js'
import type { Example } from './example.js'
import { problemExamples } from './problem-examples.js'

/** By the name of the kind; every kind but `client-gone`, which no client receives. */
export const conditions = {
  'invalid-request': 'A member or parameter is missing or wrong; `errors` names every one.',
  'malformed-request': 'The bytes are not an HTTP request.',
  unauthorized: 'The request has no API key, or one that is unknown, revoked or expired.',
  forbidden: 'The key does not have the scope of this route.',
  'foreign-request':
    'A web page of another origin may not use this route (`--cors-origins`), or the server listens on its own machine only and `Host` is not a name of it (`--allowed-hosts`).',
  'writes-off':
    'The server takes no writes: it has no keys (`--api-keys`), or it runs with `--index opensearch`.',
  'model-not-found': 'No model of this name is served by this route.',
  'not-found': 'There is nothing at this path, no such model, or no entry with this id.',
  'map-missing':
    'The dataset has no map, or its map was made from other texts: run `synoptic embed build --map`.',
  'method-not-allowed': 'The path exists, but only for the methods that `Allow` lists.',
  'not-acceptable': 'The header `Accept` does not name what the route answers with.',
  'slow-request': 'The request was not complete in time (`--request-timeout`).',
  'payload-too-large':
    'The body is larger than `--body-limit` (`--v1-body-limit` on the routes of v1, `--write-body-limit` on those that write).',
  'journal-busy': 'Another server on the same data folder takes the writes.',
  'too-many-inputs': 'More texts in one request than `--v1-max-inputs`.',
  'unsupported-media-type':
    'The body is not `application/json` (PUT: nor `application/x-ndjson`), or it is compressed.',
  'expectation-failed': 'The header `Expect` is not `100-continue`.',
  'unsupported-value':
    'A member of v1 requests what the server does not do, such as another prompt.',
  'rate-limited':
    'More requests from one address than `--rate-limit` allows, or with a key than its own limit.',
  'headers-too-large': 'The headers are larger than 16 KiB.',
  'dataset-missing': 'The catalogue has no such dataset.',
  'embeddings-missing': 'The dataset has no embeddings of this model.',
  'embeddings-stale':
    'The embeddings were made of other texts or by another revision of the model.',
  'index-mismatch': 'The search engine has no index of this version of the dataset by this model.',
  'dimension-mismatch': 'The vectors of the model and of the embeddings differ in length.',
  'model-not-installed': 'The model is known, but its files are not installed.',
  'model-load-failed': 'The files of the model cannot be loaded.',
  'encoding-failed': 'The model failed on this text.',
  'internal-error': 'Anything else; the log says more under the `requestId`.',
  'unsupported-transfer-coding': 'The header `Transfer-Encoding` is not `chunked`.',
  'upstream-failed':
    'AniList did not give what was requested. `Retry-After`, where it is there, says when it accepts requests again.',
  'embeddings-broken': 'A file of the embeddings is damaged.',
  'catalogue-broken': 'The catalogue is damaged.',
  'index-unavailable':
    'The search engine of `--index opensearch` does not answer, is too busy, or has lost a part of the index.',
  overloaded:
    '`--limit-concurrency` requests are being served, or this one would take longer than the request allows.',
  stopping:
    'The server is stopping and has not begun the request. `Retry-After` is 0: send it again at once, on a new connection; that is safe for every request.',
  'deadline-exceeded':
    'The request took longer than `--request-timeout`, or than the request allows.',
} as const

export type ProblemName = keyof typeof conditions

/** Problems of a body. */
export const bodyProblems: readonly ProblemName[] = [
  'invalid-request',
  'payload-too-large',
  'unsupported-media-type',
  'unsupported-transfer-coding',
]
/** Problems of admission and deadline, and of a stop. */
export const admitProblems: readonly ProblemName[] = ['overloaded', 'stopping', 'deadline-exceeded']
/** Problems of a search by a model. */
export const searchProblems: readonly ProblemName[] = [
  'dataset-missing',
  'embeddings-missing',
  'embeddings-stale',
  'embeddings-broken',
  'catalogue-broken',
  'index-mismatch',
  'index-unavailable',
  'dimension-mismatch',
  'model-not-installed',
  'model-load-failed',
  'encoding-failed',
]
/** Problems of a route that `--rate-limit` limits. */
export const rateLimitProblems: readonly ProblemName[] = ['rate-limited']
/** Problems of a route that needs a key. */
export const accessProblems: readonly ProblemName[] = ['unauthorized', 'forbidden']
/** Problems of a request that never reaches its route. */
const earlyProblems: readonly ProblemName[] = [
  'malformed-request',
  'slow-request',
  'expectation-failed',
  'headers-too-large',
  'unsupported-transfer-coding',
]
/** Problems of any request. */
const commonProblems: readonly ProblemName[] = [
  ...earlyProblems.filter((name) => name !== 'unsupported-transfer-coding'),
  'foreign-request',
  'internal-error',
]

/** `responses` by status. @param shape of their bodies, where they are no problems */
export function problemResponses(
  own: readonly ProblemName[],
  shape?: ErrorShape,
): Record<string, JsonObject> {
  const names = new Set<string>([...own, ...commonProblems])
  const kinds = problemKinds.filter(({ name }) => names.has(name))
  return Object.fromEntries(
    Array.from(new Set(kinds.map(({ status }) => status)), (status) => [
      status,
      response(
        status,
        kinds.filter((kind) => kind.status === status),
        shape,
      ),
    ]),
  )
}

function response(
  status: number,
  kinds: readonly ProblemKind[],
  shape: ErrorShape | undefined,
): JsonObject {
  const isShaped = ({ name }: ProblemKind) =>
    shape !== undefined && !earlyProblems.includes(name as ProblemName)
  const shaped = kinds.filter(isShaped)
  const plain = kinds.filter((kind) => !isShaped(kind))
  const own = headersOfStatus[status] ?? []
  const lines = kinds.map(({ name }) => `- \`${name}\`: ${conditions[name as ProblemName]}`)
  return {
    description: lines.join('\n'),
    headers: headerReferences(['X-Request-Id', ...own]),
    content: {
      ...(plain.length > 0 && {
        'application/problem+json': {
          schema: referenceTo(problem),
          examples: Object.fromEntries(
            plain.map(({ name }) => [name, { $ref: `#/components/examples/${name}` }]),
          ),
        },
      }),
      ...(shape &&
        shaped.length > 0 && {
          'application/json': {
            schema: referenceTo(shape.schema),
            examples: Object.fromEntries(shaped.map(({ name }) => [name, exampleOf(name, shape)])),
          },
        }),
    },
  }
}

/** Headers of a problem in addition to those of every response. */
const headersOfStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  502: ['Retry-After'],
  503: ['Retry-After'],
}

function exampleOf(name: string, shape: ErrorShape): Example {
  const { summary = '', value } = problemExamples[name] ?? {}
  return { summary, value: shape.bodyOf(value as ProblemBody) }
}

export const headerReferences = (names: readonly (keyof typeof headers)[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

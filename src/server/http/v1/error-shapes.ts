/**
 * The bodies of errors on the routes that take the place of others' servers: each family of clients reads
 * its own. They say what the problem says, in other members.
 */
import * as v from 'valibot'
import type { ProblemBody } from '../../problems/problem-body.js'
import { textOrNull, text } from '../../schemas/parts.js'

export interface ErrorShape {
  readonly schema: v.GenericSchema
  bodyOf(problem: ProblemBody): object
}

/** As code of OpenAI's clients reads it: `invalid_request`, `model_not_found`. */
function codeOf({ type }: ProblemBody): string {
  const name = type.slice(type.lastIndexOf(':') + 1).replaceAll('-', '_')
  // They know no other code for a model that they cannot have.
  return name === 'model_not_installed' ? 'model_not_found' : name
}

const openAi: ErrorShape = {
  schema: v.pipe(
    v.object({
      error: v.object({
        message: text('What was expected and what was received.'),
        type: text(
          'The class of error: `invalid_request_error`, `rate_limit_error` or `server_error`.',
        ),
        param: textOrNull('The member of the request that is wrong.'),
        code: text('What kind of problem it is, for programs.'),
      }),
    }),
    v.title('OpenAiError'),
    v.description("An error as OpenAI's clients read it."),
  ),
  bodyOf(problem) {
    const { status, detail, errors } = problem
    const types: Readonly<Record<number, string>> = { 429: 'rate_limit_error' }
    const usual = status < 500 ? 'invalid_request_error' : 'server_error'
    const code = codeOf(problem)
    const isModel = code === 'model_not_found'
    const path = errors[0]?.path ?? (isModel ? 'model' : '')
    const param = path === '' ? null : path
    return { error: { message: detail, type: types[status] ?? usual, param, code } }
  },
}

const cohere: ErrorShape = {
  schema: v.pipe(
    v.object({
      id: text('Finds the request in the log.'),
      message: text('What was expected and what was received.'),
    }),
    v.title('CohereError'),
    v.description("An error as Cohere's clients read it."),
  ),
  bodyOf: ({ requestId, detail }) => ({ id: requestId, message: detail }),
}

const tei: ErrorShape = {
  schema: v.pipe(
    v.object({
      error: text('What was expected and what was received.'),
      error_type: text('`Validation`, `Overloaded` or `Backend`.'),
    }),
    v.title('TeiError'),
    v.description('An error as clients of text-embeddings-inference read it.'),
  ),
  bodyOf({ status, detail }) {
    const isOverloaded = status === 429 || status === 503
    const usual = status < 500 ? 'Validation' : 'Backend'
    return { error: detail, error_type: isOverloaded ? 'Overloaded' : usual }
  },
}

export const errorShapes = { openAi, cohere, tei } as const

const ofPaths: Readonly<Record<string, ErrorShape>> = {
  '/embeddings': openAi,
  '/v1/embed': cohere,
  '/v2/embed': cohere,
  '/v1/rerank': cohere,
  '/v2/rerank': cohere,
  '/embed': tei,
  '/rerank': tei,
  '/similarity': tei,
  '/tokenize': tei,
  '/info': tei,
}

/** Undefined for a request whose errors are problems. All paths below /v1/ have a shape, whether they exist or not. */
export function errorShapeOf(method: string, path: string): ErrorShape | undefined {
  if (path === '/') return method === 'POST' ? tei : undefined
  return ofPaths[path] ?? (path.startsWith('/v1/') ? openAi : undefined)
}

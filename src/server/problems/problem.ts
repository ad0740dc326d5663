/** The one error body, `application/problem+json` (RFC 9457). */
import type { Problem } from '../../base/errors/index.js'
import { problemKind, type ProblemKind } from './error-status.js'
import type { ProblemBody } from './problem-body.js'

export type { ProblemBody } from './problem-body.js'

export interface ProblemResponse {
  readonly kind: ProblemKind
  /** A ProblemBody, or what the shape makes of it. */
  readonly body: object
  readonly headers: Record<string, string>
}

/** @param shape of the body, where it is not the usual one */
export function problemResponse(
  error: unknown,
  requestId: string,
  shape?: { bodyOf(problem: ProblemBody): object },
): ProblemResponse {
  const problem = problemOf(error, requestId)
  const type = shape === undefined ? 'application/problem+json' : 'application/json'
  return {
    kind: problemKind(error),
    body: shape?.bodyOf(problem) ?? problem,
    headers: {
      'Content-Type': type,
      'X-Content-Type-Options': 'nosniff',
      ...headersOf(error),
      'X-Request-Id': requestId,
    },
  }
}

export function problemOf(error: unknown, requestId: string): ProblemBody {
  const kind = problemKind(error)
  const detail = kind.detail ?? (error instanceof Error ? error.message : kind.title)
  return {
    type: `urn:synoptic:problem:${kind.name}`,
    title: kind.title,
    status: kind.status,
    detail,
    error: detail,
    errors: memberOf(error, 'problems', isProblems) ?? [],
    requestId,
  }
}

function headersOf(error: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  const retryAfterSeconds = memberOf(error, 'retryAfterSeconds', isNumber)
  const allowed = memberOf(error, 'allowed', Array.isArray)
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = String(retryAfterSeconds)
  const acceptEncoding = memberOf(error, 'acceptEncoding', isString)
  if (acceptEncoding !== undefined) headers['Accept-Encoding'] = acceptEncoding
  const challenge = memberOf(error, 'challenge', isString)
  if (challenge !== undefined) headers['WWW-Authenticate'] = challenge
  if (allowed !== undefined) headers.Allow = allowed.join(', ')
  return headers
}

/** A member that only some error classes have. */
function memberOf<T>(
  error: unknown,
  name: string,
  is: (value: unknown) => value is T,
): T | undefined {
  const value =
    error instanceof Error ? (error as Error & Record<string, unknown>)[name] : undefined
  return is(value) ? value : undefined
}

const isString = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isProblems = (value: unknown): value is readonly Problem[] =>
  Array.isArray(value) && value.every((problem) => typeof problem === 'object' && problem !== null)

/** The one error body, `application/problem+json` (RFC 9457). */
import type { Problem } from '../errors/validation-error.js'
import { problemKind, type ProblemKind } from './error-status.js'

export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** The same as `detail`, for clients that look there. */
  readonly error: string
  /** What is wrong with which member; empty where the request is not the cause. */
  readonly errors: readonly Problem[]
  readonly requestId: string
}

export interface ProblemResponse {
  readonly kind: ProblemKind
  readonly body: ProblemBody
  readonly headers: Record<string, string>
}

export function problemResponse(error: unknown, requestId: string): ProblemResponse {
  const kind = problemKind(error)
  const detail = kind.detail ?? (error instanceof Error ? error.message : kind.title)
  return {
    kind,
    body: {
      type: `urn:synoptic:problem:${kind.name}`,
      title: kind.title,
      status: kind.status,
      detail,
      error: detail,
      errors: memberOf(error, 'problems', isProblems) ?? [],
      requestId,
    },
    headers: { ...headersOf(error), 'X-Request-Id': requestId },
  }
}

function headersOf(error: unknown): Record<string, string> {
  const headers: Record<string, string> = { 'Content-Type': 'application/problem+json' }
  const retryAfterSeconds = memberOf(error, 'retryAfterSeconds', isNumber)
  const allowed = memberOf(error, 'allowed', Array.isArray)
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = String(retryAfterSeconds)
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

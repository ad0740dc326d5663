/** What the server refuses or fails at, by what a caller can do about it. */
import type { components } from './openapi.js'

export type Problem = components['schemas']['Problem']

/** An answer that is no success. */
export class SynopticError extends Error {
  override readonly name: string = 'SynopticError'
  readonly status: number
  /** For programs, such as `embeddings-missing`; empty where the answer is no problem of Synoptic, as one of a proxy. */
  readonly kind: string
  /** What is wrong with the request; empty where it is not at fault. */
  readonly errors: Problem['errors']
  /** Finds the request in the log of the server. */
  readonly requestId: string | undefined
  /** When another try may succeed, as the server says. */
  readonly retryAfterSeconds: number | undefined

  constructor({ status, headers }: Response, body: unknown) {
    const { detail, error, message, type, errors } = members(body)
    super(firstText([detail, error, members(error).message, message]) ?? `status ${status}`)
    this.status = status
    this.kind = typeof type === 'string' ? type.slice(type.lastIndexOf(':') + 1) : ''
    this.errors = Array.isArray(errors) ? (errors as Problem['errors']) : []
    this.requestId = headers.get('x-request-id') ?? undefined
    this.retryAfterSeconds = retryAfterSecondsOf(headers)
  }
}

/** The request is at fault: 400 and other 4xx; `errors` says where. */
export class InvalidRequestError extends SynopticError {
  override readonly name = 'InvalidRequestError'
}

/** The key is missing or unknown (401), or does not open this route (403). */
export class AccessError extends SynopticError {
  override readonly name = 'AccessError'
}

/** No such entry, model or path: 404. */
export class NotFoundError extends SynopticError {
  override readonly name = 'NotFoundError'
}

/** Too many requests: 429. `retryAfterSeconds` says how long to wait. */
export class RateLimitedError extends SynopticError {
  override readonly name = 'RateLimitedError'
}

/** The server is overloaded, or what the request needs is out of service: 503. */
export class UnavailableError extends SynopticError {
  override readonly name = 'UnavailableError'
}

/** The server failed: 500 and other 5xx. */
export class ServerError extends SynopticError {
  override readonly name = 'ServerError'
}

/** No answer came; `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

const classes: Readonly<Record<number, typeof SynopticError>> = {
  401: AccessError,
  403: AccessError,
  404: NotFoundError,
  429: RateLimitedError,
  503: UnavailableError,
}

export function errorOf(response: Response, body: unknown): SynopticError {
  const other = response.status < 500 ? InvalidRequestError : ServerError
  return new (classes[response.status] ?? other)(response, body)
}

/** Seconds or a date, as RFC 9110 has it. */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000)
}

const members = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>

const firstText = (values: readonly unknown[]) =>
  values.find((value): value is string => typeof value === 'string' && value !== '')

/** A refused request: its status, and when asking again may help. */
import { UpstreamError, type UpstreamErrorCode } from '../errors/index.js'

/** A refusal with the time after which asking again may help. */
export class Refusal extends UpstreamError {
  readonly retryAfterMs: number | undefined

  constructor(code: UpstreamErrorCode, message: string, status: number, retryAfterMs?: number) {
    super(code, message, { status })
    this.retryAfterMs = retryAfterMs
  }
}

/** `Retry-After` is a number of seconds or a date; undefined where it is neither. */
export function waitOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

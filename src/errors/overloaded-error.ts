import { RefusalError } from './refusal-error.js'

/** No room for another request: every slot of `--limit-concurrency` is in use, or the wait would be too long. */
export class OverloadedError extends RefusalError {
  override readonly name = 'OverloadedError'
  /** Requests take milliseconds, so a second is enough unless the server is too small. */
  readonly retryAfterSeconds: number

  /** @param wait how long the response would take, if that is the reason */
  constructor(wait?: { readonly expectedMs: number; readonly allowedMs: number }) {
    super(
      wait === undefined
        ? 'The server is busy. Try again after the time in Retry-After.'
        : `The server is busy: the response would take about ${seconds(wait.expectedMs)} s, but the request ` +
            `allows ${seconds(wait.allowedMs)} s. Try again after the time in Retry-After.`,
    )
    const overMs = wait === undefined ? 0 : wait.expectedMs - wait.allowedMs
    this.retryAfterSeconds = Math.max(1, Math.ceil(overMs / 1000))
  }
}

const seconds = (durationMs: number) => Number((durationMs / 1000).toPrecision(2))

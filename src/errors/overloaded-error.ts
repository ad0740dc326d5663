import { RefusalError } from './refusal-error.js'

/** No room for another request: every place of `--limit-concurrency` is taken, or the wait would be too long. */
export class OverloadedError extends RefusalError {
  override readonly name = 'OverloadedError'
  /** Requests take milliseconds; a second later there is room, or the server is too small. */
  readonly retryAfterSeconds: number

  /** @param wait what an answer would take, where that is why there is no room */
  constructor(wait?: { readonly expectedMs: number; readonly allowedMs: number }) {
    super(
      wait === undefined
        ? 'The server is busy; try again as long after this as Retry-After says.'
        : `The server is busy: an answer would take about ${seconds(wait.expectedMs)} s, expected at ` +
            `most ${seconds(wait.allowedMs)} s; try again as long after this as Retry-After says.`,
    )
    const overMs = wait === undefined ? 0 : wait.expectedMs - wait.allowedMs
    this.retryAfterSeconds = Math.max(1, Math.ceil(overMs / 1000))
  }
}

const seconds = (durationMs: number) => Number((durationMs / 1000).toPrecision(2))

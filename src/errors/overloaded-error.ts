/** No room for another request: every place of `--limit-concurrency` is taken. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError'
  /** Requests take milliseconds; a second later there is room, or the server is too small. */
  readonly retryAfterSeconds = 1

  constructor() {
    super('The server is busy; try again as long after this as Retry-After says.')
  }
}

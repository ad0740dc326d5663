import { RefusalError } from './refusal-error.js'

/** The server has been told to stop, and has not begun the request: another replica can take it at once. */
export class StoppingError extends RefusalError {
  override readonly name = 'StoppingError'
  readonly retryAfterSeconds = 0

  constructor() {
    super(
      'The server is stopping and has not begun this request. Send it again: another one takes it.',
    )
  }
}

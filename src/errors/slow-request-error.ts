/** A client that took longer than `--request-timeout` to send its request. */
export class SlowRequestError extends Error {
  override readonly name = 'SlowRequestError'

  constructor(options?: ErrorOptions) {
    super('The request did not arrive in time.', options)
  }
}

/** A request that took longer than `--request-timeout`. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly retryAfterSeconds = 1

  constructor(timeoutSeconds: number) {
    super(`The request took longer than ${timeoutSeconds} s and was stopped.`)
  }
}

/**
 * The engine that holds the vectors gives no whole answer: it does not answer, is too busy, or has lost a part of
 * the index. The cause says more; the message holds no address.
 */
export class IndexUnavailableError extends Error {
  override readonly name = 'IndexUnavailableError'
  readonly retryAfterSeconds: number

  constructor(what: string, options?: ErrorOptions & { readonly retryAfterSeconds?: number }) {
    super(`The vectors cannot be searched now: ${what}.`, options)
    this.retryAfterSeconds = options?.retryAfterSeconds ?? 1
  }
}

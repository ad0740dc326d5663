import { RefusalError } from './refusal-error.js'

/** A client that sends more than `--rate-limit` lets through. */
export class RateLimitedError extends RefusalError {
  override readonly name = 'RateLimitedError'

  constructor(perSecond: number) {
    const pace = perSecond === 1 ? '1 request' : `${perSecond} requests`
    super(`Expected at most ${pace} per second from one address; wait as long as Retry-After says.`)
  }
}

import { RefusalError } from './refusal-error.js'

/** A client exceeds `--rate-limit`. */
export class RateLimitedError extends RefusalError {
  override readonly name = 'RateLimitedError'

  constructor(group: string, perSecond: number) {
    const limit = perSecond === 1 ? '1 request' : `${perSecond} requests`
    super(
      `The limit is ${limit} per second from one address. Try again after the time in Retry-After. ` +
        `The server's setting --rate-limit ${group}=${perSecond} sets it; 0 means no limit.`,
    )
  }
}

import { RefusalError } from './refusal-error.js'

export interface TooLargeBatch {
  readonly size: number
  readonly limit: number
}

/** A client exceeds `--rate-limit`. */
export class RateLimitedError extends RefusalError {
  override readonly name = 'RateLimitedError'

  /** @param batch one that no window holds: waiting does not help */
  constructor(group: string, perSecond: number, batch?: TooLargeBatch) {
    const limit = perSecond === 1 ? '1 request' : `${perSecond} requests`
    const advice =
      batch === undefined
        ? 'Try again after the time in Retry-After.'
        : `A batch counts as its texts: this one as ${batch.size}, and at most ${batch.limit} may come ` +
          'at once (--rate-burst).'
    super(
      `The limit is ${limit} per second from one address. ${advice} ` +
        `The server's setting --rate-limit ${group}=${perSecond} sets it; 0 means no limit.`,
    )
  }
}

import { RefusalError } from './refusal-error.js'

/** The limit of a route group for each address, or that of a key. */
export type ExceededLimit =
  | { readonly group: string; readonly perSecond: number }
  | { readonly key: string; readonly perMinute: number }

export interface TooLargeBatch {
  readonly size: number
  readonly limit: number
}

/** A client exceeds `--rate-limit`, or the limit of its key. */
export class RateLimitedError extends RefusalError {
  override readonly name = 'RateLimitedError'

  /** @param batch one that no window holds: waiting does not help */
  constructor(limit: ExceededLimit, batch?: TooLargeBatch) {
    super('key' in limit ? messageOfKey(limit, batch) : messageOfGroup(limit, batch))
  }
}

const countOf = (requests: number) => (requests === 1 ? '1 request' : `${requests} requests`)

const messageOfGroup = (
  { group, perSecond }: Extract<ExceededLimit, { group: string }>,
  batch: TooLargeBatch | undefined,
) =>
  `The limit is ${countOf(perSecond)} per second from one address. ` +
  (batch ? `${sizeOf(batch)} (--rate-burst). ` : `${advice} `) +
  `The server's setting --rate-limit ${group}=${perSecond} sets it; 0 means no limit.`

const messageOfKey = (
  { key, perMinute }: Extract<ExceededLimit, { key: string }>,
  batch: TooLargeBatch | undefined,
) =>
  `The limit of the key ${key} is ${countOf(perMinute)} per minute. ` +
  (batch ? `${sizeOf(batch)}.` : advice)

const advice = 'Try again after the time in Retry-After.'
const sizeOf = ({ size, limit }: TooLargeBatch) =>
  `A batch counts as its texts: this one as ${size}, and at most ${limit} may come at once`

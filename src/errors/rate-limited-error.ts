import { RefusalError } from './refusal-error.js'

/** The limit of a route group for each address, or that of a key. */
export type ExceededLimit =
  | { readonly group: string; readonly perSecond: number }
  | { readonly key: string; readonly perMinute: number }

/** A client exceeds `--rate-limit`, or the limit of its key. */
export class RateLimitedError extends RefusalError {
  override readonly name = 'RateLimitedError'

  constructor(limit: ExceededLimit) {
    super('key' in limit ? messageOfKey(limit) : messageOfGroup(limit))
  }
}

const countOf = (requests: number) => (requests === 1 ? '1 request' : `${requests} requests`)

const messageOfGroup = ({ group, perSecond }: Extract<ExceededLimit, { group: string }>) =>
  `The limit is ${countOf(perSecond)} per second from one address. ${advice} ` +
  `The server's setting --rate-limit ${group}=${perSecond} sets it; 0 means no limit.`

const messageOfKey = ({ key, perMinute }: Extract<ExceededLimit, { key: string }>) =>
  `The limit of the key ${key} is ${countOf(perMinute)} per minute. ${advice}`

const advice = 'Try again after the time in Retry-After.'

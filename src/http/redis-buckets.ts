/**
 * The buckets of tokens in Redis, so that a client has one however many servers there are. While Redis is
 * away, each server counts for itself: a limit that is a little wide is better than no service.
 */
import type { ClientRateLimitInfo } from 'hono-rate-limiter'
import type { Logger } from 'pino'
import type { RateStore } from './middleware/rate-limit.js'
import type { TokenBucketOptions } from './token-buckets.js'

export interface RedisBuckets {
  /** Those of one name, apart from those of another. */
  readonly buckets: (name: string, options: RedisBucketsOptions) => RateStore
  readonly close: () => void
}

export interface RedisBucketsOptions extends TokenBucketOptions {
  /** Counts while Redis does not. */
  readonly fallback: RateStore
}

/** What a request waits for Redis at most; on one network an answer takes a fraction of a millisecond. */
const usualPatienceMs = 250
const longestReconnectMs = 2000

/**
 * As createTokenBuckets, by the clock of Redis: the time at which a client's bucket is full again, which
 * goes by itself when it is. Answers the tokens that are taken, one too many for a request that is
 * refused, and in how many milliseconds the bucket is full, or has a token again.
 */
const take = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + interval
if full - now > capacity + 0.01 then
  return {math.floor(capacity / interval + 0.5) + 1, math.ceil(full - capacity - now)}
end
redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now))
return {math.ceil((full - now - 0.01) / interval), math.ceil(full - now)}`

/** Resolves at once; whether Redis is there shows with the first request. */
export async function openRedisBuckets(
  url: string,
  logger: Logger,
  patienceMs = usualPatienceMs,
): Promise<RedisBuckets> {
  // Only who counts in Redis needs its client.
  const { createClient } = await import('@redis/client')
  const reconnectStrategy = (tries: number) => Math.min(50 * 2 ** tries, longestReconnectMs)
  const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy } })
  // Told by the requests that miss it; without a listener it would end the process.
  client.on('error', () => undefined)
  void client.connect().catch(() => undefined)
  let isThere = true

  function tell(isThereNow: boolean, error?: unknown): void {
    if (isThereNow === isThere) return
    isThere = isThereNow
    if (isThere) logger.info('Redis is back; the rate limit is counted there again')
    else
      logger.warn({ err: error }, 'Redis does not answer; counting the rate limit here meanwhile')
  }

  function buckets(name: string, { perSecond, burst, fallback }: RedisBucketsOptions): RateStore {
    const intervalMs = 1000 / perSecond
    const pace = [String(intervalMs), String(intervalMs * burst)]
    return {
      async increment(key): Promise<ClientRateLimitInfo> {
        const keys = [`synoptic:rate:${name}:${key}`]
        try {
          const answer = await inTime(client.eval(take, { keys, arguments: pace }), patienceMs)
          const [totalHits, inMs] = answer as [number, number]
          tell(true)
          return { totalHits, resetTime: new Date(Date.now() + inMs) }
        } catch (error) {
          tell(false, error)
          return fallback.increment(key)
        }
      },
      // What the rate limit could take back: it never does, each request counts.
      decrement: () => undefined,
      resetKey: () => undefined,
    }
  }

  return { buckets, close: () => client.destroy() }
}

async function inTime<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`Redis did not answer within ${patienceMs} ms`)
    timer = setTimeout(() => reject(error), patienceMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Counts each client's requests in Redis, so that several servers share a limit. While Redis does not
 * respond, each server counts for itself: a limit that is a little wide is better than no service.
 */
import type { ClientRateLimitInfo } from 'hono-rate-limiter'
import type { Logger } from 'pino'
import type { Counted, RateStore, TakenBatch } from './rate-window.js'

export interface RedisStores {
  /** Counts the clients of one group of routes, or the keys. */
  readonly store: (group: Counted, options: RedisStoreOptions) => RateStore
  readonly close: () => void
}

interface RedisStoreOptions {
  readonly windowMs: number
  /** Counts while Redis does not. */
  readonly fallback: RateStore
}

/** A request waits no longer for Redis; on one network a response takes a fraction of a millisecond. */
const defaultTimeoutMs = 250
const maxReconnectWaitMs = 2000

/**
 * One step in Redis, so requests that come together are all counted and no window is left without an end.
 * With a limit it is `take`. Returns the requests in the window, the milliseconds until it ends, and whether
 * they are counted.
 */
const countScript = `
local cost = tonumber(ARGV[2])
local hits = redis.call('INCRBY', KEYS[1], cost)
local leftMs = redis.call('PTTL', KEYS[1])
if leftMs < 0 then
  leftMs = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], leftMs)
end
local limit = tonumber(ARGV[3])
local isTaken = 1
if limit and hits > limit then
  if hits - cost <= 1 then
    leftMs = math.ceil(leftMs + tonumber(ARGV[1]) * (hits / limit - 1))
    redis.call('PEXPIRE', KEYS[1], leftMs)
  else
    isTaken = 0
    redis.call('DECRBY', KEYS[1], cost)
  end
end
return {hits, leftMs, isTaken}`

/** Resolves at once; whether Redis is there shows with the first request. */
export async function openRedisStores(
  url: string,
  logger: Logger,
  timeoutMs = defaultTimeoutMs,
): Promise<RedisStores> {
  // Loaded only where Redis counts.
  const { createClient } = await import('@redis/client')
  const reconnectStrategy = (tries: number) => Math.min(50 * 2 ** tries, maxReconnectWaitMs)
  const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy } })
  // The requests that miss Redis log it; an error without a listener would end the process.
  client.on('error', () => undefined)
  void client.connect().catch(() => undefined)
  let isReachable = true

  function note(isReachableNow: boolean, error?: unknown): void {
    if (isReachableNow === isReachable) return
    isReachable = isReachableNow
    if (isReachable) logger.info('Redis is back; the rate limit is counted there again')
    else
      logger.warn({ err: error }, 'Redis does not respond; counting the rate limit here meanwhile')
  }

  async function count(key: string, numbers: readonly number[]): Promise<TakenBatch> {
    const reply = client.eval(countScript, { keys: [key], arguments: numbers.map(String) })
    const counted = (await withTimeout(reply, timeoutMs)) as [number, number, number]
    const [totalHits, leftMs, isTaken] = counted
    return { totalHits, resetTime: new Date(Date.now() + leftMs), isTaken: isTaken === 1 }
  }

  return {
    store(group, { windowMs, fallback }) {
      async function countOr<T extends ClientRateLimitInfo>(
        clientKey: string,
        numbers: readonly number[],
        otherwise: () => T | Promise<T>,
      ): Promise<T | TakenBatch> {
        try {
          const key = `synoptic:rate-limit:${group}:${clientKey}`
          const counted = await count(key, [Math.round(windowMs), ...numbers])
          note(true)
          return counted
        } catch (error) {
          note(false, error)
          return otherwise()
        }
      }
      return {
        increment: (key) => countOr(key, [1], () => fallback.increment(key)),
        take: (key, batch) =>
          countOr(key, [batch.cost, batch.limit], () => fallback.take(key, batch)),
        // The interface has these; the rate limit counts every request and takes none back.
        decrement: () => undefined,
        resetKey: () => undefined,
      }
    },
    close: () => client.destroy(),
  }
}

async function withTimeout<T>(reply: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const error = new Error(`Redis did not respond within ${timeoutMs} ms`)
    timer = setTimeout(() => reject(error), timeoutMs)
  })
  try {
    return await Promise.race([reply, timeout])
  } finally {
    clearTimeout(timer)
  }
}

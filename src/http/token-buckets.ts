/**
 * A bucket of tokens for each client: `burst` at first, `perSecond` more each second, one a request.
 * A fixed window, which the library brings, lets twice the limit through around its edge.
 */
import type { ClientRateLimitInfo } from 'hono-rate-limiter'
import type { RateStore } from './middleware/rate-limit.js'

export interface TokenBucketOptions {
  readonly perSecond: number
  readonly burst: number
  /** Clients that are kept in memory. */
  readonly limit?: number
}

/** Some 10 MB of them. */
const mostClients = 100_000

/** A third of a second more than a time, less the time, is a little more than a third of a second. */
const roundingMs = 0.001

/**
 * A clock that is set does not lock anybody out: buckets fill by a clock that only goes on, and what is
 * told to clients stands by theirs. Buckets are kept while they are not full; beyond `limit` of them that of
 * whoever was let through longest ago is forgotten, so that whoever has many addresses cannot fill the memory.
 */
export function createTokenBuckets(
  { perSecond, burst, limit = mostClients }: TokenBucketOptions,
  now: () => number = () => performance.now(),
  wallClock: () => number = Date.now,
): RateStore {
  const intervalMs = 1000 / perSecond
  const capacityMs = intervalMs * burst
  /** When each client's bucket is full again. */
  const fullAt = new Map<string, number>()
  let purgeAt = 0

  const inMs = (durationMs: number) => new Date(wallClock() + durationMs)

  function purge(time: number): void {
    if (time < purgeAt) return
    purgeAt = time + Math.max(capacityMs, 1000)
    for (const [key, full] of fullAt) if (full <= time) fullAt.delete(key)
  }

  function increment(key: string): ClientRateLimitInfo {
    const time = now()
    purge(time)
    const full = Math.max(fullAt.get(key) ?? 0, time) + intervalMs
    const isRefused = full - time > capacityMs + roundingMs
    if (isRefused) {
      // A refused request takes no token: who waits as told is let through.
      return { totalHits: burst + 1, resetTime: inMs(full - capacityMs - time) }
    }
    // Behind all others, so that the first is whoever was let through longest ago.
    fullAt.delete(key)
    fullAt.set(key, full)
    if (fullAt.size > limit) {
      const [first = key] = fullAt.keys()
      fullAt.delete(first)
    }
    return {
      totalHits: Math.ceil((full - time - roundingMs) / intervalMs),
      resetTime: inMs(full - time),
    }
  }

  return {
    increment,
    decrement(key) {
      const full = fullAt.get(key)
      if (full !== undefined) fullAt.set(key, full - intervalMs)
    },
    resetKey(key) {
      fullAt.delete(key)
    },
  }
}

/**
 * A bucket of tokens for each client: `burst` at first, `perSecond` more each second, one a request.
 * A fixed window, which the library brings, lets twice the limit through around its edge.
 */
import type { ClientRateLimitInfo } from 'hono-rate-limiter'
import type { RateStore } from './middleware/rate-limit.js'

export interface TokenBucketOptions {
  readonly perSecond: number
  readonly burst: number
}

/** Buckets are kept while they are not full; memory is bounded by the clients of `burst / perSecond` seconds. */
export function createTokenBuckets(
  { perSecond, burst }: TokenBucketOptions,
  now: () => number = Date.now,
): RateStore {
  const intervalMs = 1000 / perSecond
  const capacityMs = intervalMs * burst
  /** When each client's bucket is full again. */
  const fullAt = new Map<string, number>()
  let purgeAt = 0

  function purge(time: number): void {
    if (time < purgeAt) return
    purgeAt = time + Math.max(capacityMs, 1000)
    for (const [key, full] of fullAt) if (full <= time) fullAt.delete(key)
  }

  function increment(key: string): ClientRateLimitInfo {
    const time = now()
    purge(time)
    const full = Math.max(fullAt.get(key) ?? 0, time) + intervalMs
    const isRefused = full - time > capacityMs
    if (isRefused) {
      // A refused request takes no token: who waits as told is let through.
      return { totalHits: burst + 1, resetTime: new Date(full - capacityMs) }
    }
    fullAt.set(key, full)
    return { totalHits: Math.ceil((full - time) / intervalMs), resetTime: new Date(full) }
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

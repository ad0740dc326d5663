/** The limits that keys have of their own: one count for all routes, in windows of a minute. */
import { rateLimiter } from 'hono-rate-limiter'
import { RateLimitedError } from '../../errors/rate-limited-error.js'
import type { AppMiddleware } from '../env.js'
import { keyWindowMs, type RateStore } from '../limits/rate-window.js'

/** Comes after the check of the key. */
export function createKeyLimit(store: RateStore): AppMiddleware {
  return rateLimiter({
    limit: (c) => c.get('key')?.perMinute ?? 0,
    windowMs: keyWindowMs,
    standardHeaders: 'draft-7',
    keyGenerator: (c) => c.get('key')?.name ?? '',
    store,
    skip: (c) => c.get('key')?.perMinute === undefined,
    handler: (c) => {
      const { name = '', perMinute = 0 } = c.get('key') ?? {}
      throw new RateLimitedError({ key: name, perMinute })
    },
  })
}

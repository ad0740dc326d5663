/** The limits that keys have of their own: one count for all routes, in windows of a minute. */
import { rateLimiter } from 'hono-rate-limiter'
import { RateLimitedError } from '../../../base/errors/index.js'
import type { AppContext } from '../env.js'
import { createCharge } from '../limits/charge.js'
import type { RateLimit } from '../limits/rate-limits.js'
import { keyWindowMs, type RateStore } from '../limits/rate-window.js'

/** Comes after the check of the key. */
export function createKeyLimit(store: RateStore): RateLimit {
  const limitOf = (c: AppContext) => c.get('key')?.perMinute ?? 0
  const clientOf = (c: AppContext) => c.get('key')?.name ?? ''
  const refusalOf = (c: AppContext) =>
    new RateLimitedError({ key: clientOf(c), perMinute: limitOf(c) })
  return {
    limiter: rateLimiter({
      limit: limitOf,
      windowMs: keyWindowMs,
      standardHeaders: 'draft-7',
      keyGenerator: clientOf,
      store,
      skip: (c) => c.get('key')?.perMinute === undefined,
      handler: (c) => {
        throw refusalOf(c)
      },
    }),
    charge: createCharge({ store, windowMs: keyWindowMs, limitOf, clientOf, refusalOf }),
  }
}

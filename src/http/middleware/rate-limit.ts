import { rateLimiter, type Store } from 'hono-rate-limiter'
import { RateLimitedError } from '../../errors/rate-limited-error.js'
import { clientAddress } from '../client-address.js'
import type { AppEnv, AppMiddleware } from '../env.js'

/** Counts requests by client; hono-rate-limiter's interface. */
export type RateStore = Store<AppEnv>

export interface RateLimitOptions {
  readonly perSecond: number
  readonly burst: number
  /** Proxies in front of the server whose X-Forwarded-For is believed. */
  readonly trustProxy: number
  readonly store: RateStore
}

/** Paces each client address; what goes beyond is refused before any work, with Retry-After. */
export function rateLimit({
  perSecond,
  burst,
  trustProxy,
  store,
}: RateLimitOptions): AppMiddleware {
  return rateLimiter<AppEnv>({
    limit: burst,
    // For the RateLimit-Policy header: `burst` requests in the time that refills them.
    windowMs: (burst / perSecond) * 1000,
    standardHeaders: 'draft-7',
    keyGenerator: (c) => clientAddress(c, trustProxy),
    store,
    handler: () => {
      throw new RateLimitedError(perSecond)
    },
  })
}

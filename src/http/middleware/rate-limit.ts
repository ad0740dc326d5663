import { rateLimiter, type Store } from 'hono-rate-limiter'
import { RateLimitedError } from '../../errors/rate-limited-error.js'
import type { RouteGroup } from '../../config/route-groups.js'
import { networkOf } from '../client-address.js'
import type { AppContext, AppEnv, AppMiddleware } from '../env.js'

/** Counts requests by client; hono-rate-limiter's interface. */
export type RateStore = Store<AppEnv>

/** A store for each group of routes that is paced. */
export type RateStores = ReadonlyMap<RouteGroup, RateStore>

export interface RateLimitOptions {
  readonly perSecond: number
  readonly burst: number
  readonly addressOf: (c: AppContext) => string
  readonly store: RateStore
}

/** Paces each client address; what goes beyond is refused before any work, with Retry-After. */
export function rateLimit({ perSecond, burst, addressOf, store }: RateLimitOptions): AppMiddleware {
  return rateLimiter<AppEnv>({
    limit: burst,
    // For the RateLimit-Policy header: `burst` requests in the time that refills them.
    windowMs: (burst / perSecond) * 1000,
    standardHeaders: 'draft-7',
    keyGenerator: (c) => networkOf(addressOf(c)),
    store,
    handler: () => {
      throw new RateLimitedError(perSecond)
    },
  })
}

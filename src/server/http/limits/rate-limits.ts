/** The rate limit as middleware: one for each group of routes, built once for a process and used by every app of it. */
import { rateLimiter } from 'hono-rate-limiter'
import type { RouteGroup } from '../../../base/config/route-groups.js'
import type { ServerSettings } from '../../../base/config/settings.js'
import { RateLimitedError } from '../../../base/errors/index.js'
import type { AppContext, AppMiddleware } from '../env.js'
import { createCharge, type Charge } from './charge.js'
import { addressesIn, clientAddresses, isFromThisMachine, networkOf } from './client-address.js'
import { limitedGroups, type RateSettings, type RateStores } from './rate-window.js'

/** Groups without a limit have none. */
export type RateLimits = ReadonlyMap<RouteGroup, RateLimit>

export interface RateLimit {
  /** Counts a request before its body is read. */
  readonly limiter: AppMiddleware
  readonly charge: Charge
}

/**
 * Counts the requests of each client address, but those of this machine and of `--rate-exempt`; one that is over the limit is
 * refused before any work, with Retry-After. All routes of a group share one count. A request with a key counts for the key
 * instead of its address, and a key with a limit of its own not at all.
 */
export function createRateLimits(
  settings: RateSettings & Pick<ServerSettings, 'trustProxy' | 'rateLimitLoopback' | 'rateExempt'>,
  stores: RateStores,
): RateLimits {
  const addressOf = clientAddresses(settings.trustProxy)
  const isExempt = addressesIn(settings.rateExempt)
  const clientOf = (c: AppContext) => {
    const key = c.get('key')
    return key === undefined ? networkOf(addressOf(c)) : `key ${key.name}`
  }
  const isSpared = (c: AppContext) =>
    c.get('key')?.perMinute !== undefined ||
    isExempt(addressOf(c)) ||
    (!settings.rateLimitLoopback && isFromThisMachine(c))
  const limits = new Map<RouteGroup, RateLimit>()
  for (const { group, perSecond, limit, windowMs } of limitedGroups(settings)) {
    const store = stores.get(group)
    if (store === undefined) throw new Error(`expected a store that counts for ${group}`)
    const limiter: AppMiddleware = rateLimiter({
      limit,
      windowMs,
      standardHeaders: 'draft-7',
      keyGenerator: clientOf,
      store,
      skip: isSpared,
      handler: () => {
        throw new RateLimitedError({ group, perSecond })
      },
    })
    const charge = createCharge({
      store,
      windowMs,
      clientOf,
      limitOf: () => limit,
      refusalOf: () => new RateLimitedError({ group, perSecond }),
    })
    limits.set(group, { limiter, charge })
  }
  return limits
}

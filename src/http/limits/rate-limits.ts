/** The rate limit as middleware: one for each group of routes, built once for a process and used by every app of it. */
import { rateLimiter } from 'hono-rate-limiter'
import type { RouteGroup } from '../../config/route-groups.js'
import type { ServerSettings } from '../../config/settings.js'
import { RateLimitedError } from '../../errors/rate-limited-error.js'
import type { AppContext, AppMiddleware } from '../env.js'
import { clientAddresses, isFromThisMachine, networkOf } from './client-address.js'
import { limitedGroups, type RateSettings, type RateStores } from './rate-window.js'

/** Groups without a limit have none. */
export type RateLimits = ReadonlyMap<RouteGroup, RateLimit>

export interface RateLimit {
  /** Counts a request before its body is read. */
  readonly limiter: AppMiddleware
  /** Counts the texts of a batch but the first, which its request was counted for. Rejects with a RateLimitedError. */
  readonly charge: Charge
}

export type Charge = (c: AppContext, size: number) => Promise<void>

/**
 * Counts the requests of each client address, but those of this machine; one that is over the limit is refused before any work, with
 * Retry-After. All routes of a group share one count.
 */
export function createRateLimits(
  settings: RateSettings & Pick<ServerSettings, 'trustProxy' | 'rateLimitLoopback'>,
  stores: RateStores,
): RateLimits {
  const addressOf = clientAddresses(settings.trustProxy)
  const limits = new Map<RouteGroup, RateLimit>()
  for (const { group, perSecond, limit, windowMs } of limitedGroups(settings)) {
    const store = stores.get(group)
    if (store === undefined) throw new Error(`expected a store that counts for ${group}`)
    const limiter: AppMiddleware = rateLimiter({
      limit,
      windowMs,
      standardHeaders: 'draft-7',
      keyGenerator: (c) => networkOf(addressOf(c)),
      store,
      ...(!settings.rateLimitLoopback && { skip: isFromThisMachine }),
      handler: () => {
        throw new RateLimitedError(group, perSecond)
      },
    })
    const charge: Charge = async (c, size) => {
      if (size <= 1 || c.get('rateLimit') === undefined) return
      if (size > limit) throw new RateLimitedError(group, perSecond, { size, limit })
      const cost = size - 1
      const { totalHits, resetTime } = await store.take(networkOf(addressOf(c)), { cost, limit })
      const isRefused = totalHits > limit
      const remaining = Math.max(0, limit - totalHits + (isRefused ? cost : 0))
      const resetSeconds = secondsUntil(resetTime, windowMs)
      c.header('RateLimit', `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`)
      if (!isRefused) return
      c.header('Retry-After', String(resetSeconds))
      throw new RateLimitedError(group, perSecond)
    }
    limits.set(group, { limiter, charge })
  }
  return limits
}

const secondsUntil = (time: Date | undefined, windowMs: number): number =>
  Math.max(0, Math.ceil((time === undefined ? windowMs : time.getTime() - Date.now()) / 1000))

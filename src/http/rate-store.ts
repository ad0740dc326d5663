/** Where a client's requests are counted: in this server, or in Redis for several servers together. */
import type { Logger } from 'pino'
import type { ServerSettings } from '../config/settings.js'
import type { Rates } from '../config/schemas.js'
import type { RateStores } from './middleware/rate-limit.js'
import { openRedisBuckets } from './redis-buckets.js'
import type { RouteGroup } from '../config/route-groups.js'
import { createTokenBuckets } from './token-buckets.js'

export interface OpenRateStores {
  readonly stores: RateStores
  readonly close: () => void
}

export async function openRateStores(
  { rateStore, rateLimit, rateBurst: burst }: ServerSettings,
  logger: Logger,
): Promise<OpenRateStores> {
  const paced = pacedGroups(rateLimit)
  const own = new Map(
    paced.map(([group, perSecond]) => [group, createTokenBuckets({ perSecond, burst })]),
  )
  if (rateStore === 'memory' || paced.length === 0) return { stores: own, close: () => undefined }
  const redis = await openRedisBuckets(rateStore, logger)
  const stores = paced.map(([group, perSecond]) => {
    const fallback = own.get(group) ?? createTokenBuckets({ perSecond, burst })
    return [group, redis.buckets(group, { perSecond, burst, fallback })] as const
  })
  return { stores: new Map(stores), close: redis.close }
}

/** Groups of routes that have a limit, with their requests per second. */
export const pacedGroups = (rates: Rates): [RouteGroup, number][] =>
  (Object.entries(rates) as [RouteGroup, number][]).filter(([, perSecond]) => perSecond > 0)

/** Where a client's requests are counted: in this server, or in Redis for several servers together. */
import type { ServerSettings } from '../config.js'
import type { Logger } from 'pino'
import type { RateStore } from './middleware/rate-limit.js'
import { openRedisBuckets } from './redis-buckets.js'
import { createTokenBuckets } from './token-buckets.js'

export interface OpenRateStore {
  readonly store: RateStore
  readonly close: () => void
}

export async function openRateStore(
  { rateStore, rateLimit: perSecond, rateBurst: burst }: ServerSettings,
  logger: Logger,
): Promise<OpenRateStore> {
  const own = createTokenBuckets({ perSecond, burst })
  if (rateStore === 'memory') return { store: own, close: () => undefined }
  return openRedisBuckets(rateStore, { perSecond, burst, fallback: own, logger })
}

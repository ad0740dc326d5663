/** Where `--rate-store` counts the requests of clients: in this process, or in Redis for several servers. */
import type { Logger } from 'pino'
import type { ServerSettings } from '../../../base/config/settings.js'
import { createMemoryStore } from './memory-store.js'
import { countedWindows, type RateSettings, type RateStores } from './rate-window.js'
import { openRedisStores } from './redis-store.js'

export interface OpenRateStores {
  readonly stores: RateStores
  readonly close: () => void
}

export async function openRateStores(
  settings: RateSettings & Pick<ServerSettings, 'rateStore' | 'apiKeys'>,
  logger: Logger,
): Promise<OpenRateStores> {
  const { rateStore } = settings
  const groups = countedWindows(settings).map(({ group, windowMs }) => {
    return { group, windowMs, memory: createMemoryStore({ windowMs }) }
  })
  if (rateStore === 'memory' || groups.length === 0) {
    return {
      stores: new Map(groups.map(({ group, memory }) => [group, memory])),
      close: () => undefined,
    }
  }
  const { store, close } = await openRedisStores(rateStore, logger)
  const stores = groups.map(({ group, windowMs, memory }) => {
    return [group, store(group, { windowMs, fallback: memory })] as const
  })
  return { stores: new Map(stores), close }
}

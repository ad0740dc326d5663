/**
 * Counts each client's requests in windows, in the memory of this process. A window begins with the first
 * request that finds none open. Time is monotonic, so a changed system clock locks nobody out.
 */
import type { ClientRateLimitInfo } from 'hono-rate-limiter'
import { LRUCache } from 'lru-cache'
import type { RateStore } from './rate-window.js'

export interface MemoryStoreOptions {
  readonly windowMs: number
  /** Clients in memory. */
  readonly maxClients?: number
  /** Monotonic, in milliseconds. */
  readonly now?: () => number
  /** Milliseconds since 1970. */
  readonly wallClock?: () => number
}

/** They take some 10 MB. */
const defaultMaxClients = 100_000

interface Window {
  hits: number
  readonly endsMs: number
}

/** Beyond `maxClients` the client that came longest ago is forgotten, so that many addresses cannot fill the memory. */
export function createMemoryStore({
  windowMs,
  maxClients = defaultMaxClients,
  now = () => performance.now(),
  wallClock = Date.now,
}: MemoryStoreOptions): RateStore {
  const windows = new LRUCache<string, Window>({ max: maxClients })

  function count(client: string, cost: number, limit: number): ClientRateLimitInfo {
    const time = now()
    let window = windows.get(client)
    if (window === undefined || window.endsMs <= time) {
      window = { hits: 0, endsMs: time + windowMs }
      windows.set(client, window)
    }
    const totalHits = window.hits + cost
    if (totalHits <= limit) window.hits = totalHits
    return { totalHits, resetTime: new Date(wallClock() + window.endsMs - time) }
  }

  return {
    increment: (client) => count(client, 1, Infinity),
    take: (client, { cost, limit }) => count(client, cost, limit),
    decrement(client) {
      const window = windows.get(client)
      if (window !== undefined) window.hits -= 1
    },
    resetKey(client) {
      windows.delete(client)
    },
  }
}

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
  endsMs: number
}

/** Beyond `maxClients` the client that came longest ago is forgotten, so that many addresses cannot fill the memory. */
export function createMemoryStore({
  windowMs,
  maxClients = defaultMaxClients,
  now = () => performance.now(),
  wallClock = Date.now,
}: MemoryStoreOptions): RateStore {
  const windows = new LRUCache<string, Window>({ max: maxClients })

  function windowOf(client: string, time: number): Window {
    const open = windows.get(client)
    if (open !== undefined && open.endsMs > time) return open
    const window = { hits: 0, endsMs: time + windowMs }
    windows.set(client, window)
    return window
  }

  const infoOf = (totalHits: number, { endsMs }: Window, time: number): ClientRateLimitInfo => ({
    totalHits,
    resetTime: new Date(wallClock() + endsMs - time),
  })

  return {
    increment(client) {
      const time = now()
      const window = windowOf(client, time)
      window.hits += 1
      return infoOf(window.hits, window, time)
    },
    take(client, { cost, limit }) {
      const time = now()
      const window = windowOf(client, time)
      const totalHits = window.hits + cost
      const isLarge = totalHits > limit
      const isTaken = !isLarge || window.hits <= 1
      if (isTaken) window.hits = totalHits
      if (isTaken && isLarge) window.endsMs += windowMs * (totalHits / limit - 1)
      return { ...infoOf(totalHits, window, time), isTaken }
    },
    decrement(client) {
      const window = windows.get(client)
      if (window !== undefined) window.hits -= 1
    },
    resetKey(client) {
      windows.delete(client)
    },
  }
}

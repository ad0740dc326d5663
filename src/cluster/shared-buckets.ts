/**
 * The rate limit of a worker: the primary process holds the buckets, so that a client has one however
 * its connections are spread. An answer costs a message each way, some tens of microseconds.
 */
import type { ClientRateLimitInfo } from 'hono-rate-limiter'
import type { RateStore, RateStores } from '../http/middleware/rate-limit.js'
import type { RouteGroup } from '../config/route-groups.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'

export interface SharedBuckets {
  readonly stores: RateStores
  /** To be called with each message of the primary. */
  readonly receive: (message: PrimaryMessage) => void
}

/** @param groups those that are paced */
export function createSharedBuckets(
  groups: readonly RouteGroup[],
  send: (message: WorkerMessage) => void,
): SharedBuckets {
  const waiting = new Map<number, (info: ClientRateLimitInfo) => void>()
  let lastId = 0
  const storeOf = (group: RouteGroup): RateStore => ({
    increment(client) {
      lastId += 1
      const id = lastId
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        send({ kind: 'take', id, group, client })
      })
    },
    // What the rate limit could take back: it never does, each request counts.
    decrement: () => undefined,
    resetKey: () => undefined,
  })
  return {
    stores: new Map(groups.map((group) => [group, storeOf(group)])),
    receive(message) {
      if (message.kind !== 'token') return
      const { id, totalHits, resetTime } = message
      waiting.get(id)?.({ totalHits, resetTime: new Date(resetTime) })
      waiting.delete(id)
    },
  }
}

/**
 * The rate stores of a worker: the primary counts, so a client has one count for all of its connections. A
 * request costs a message each way, some tens of microseconds.
 */
import type {
  BatchCost,
  Counted,
  RateStore,
  RateStores,
  TakenBatch,
} from '../http/limits/rate-window.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'

export interface SharedRateStores {
  readonly stores: RateStores
  /** Takes each message of the primary. */
  readonly receive: (message: PrimaryMessage) => void
}

/** @param groups those that have a limit */
export function createSharedRateStores(
  groups: readonly Counted[],
  send: (message: WorkerMessage) => void,
): SharedRateStores {
  const waiting = new Map<number, (counted: TakenBatch) => void>()
  let lastId = 0
  function count(group: Counted, client: string, batch?: BatchCost) {
    lastId += 1
    const id = lastId
    return new Promise<TakenBatch>((resolve) => {
      waiting.set(id, resolve)
      send({ kind: 'count', id, group, client, ...(batch && { batch }) })
    })
  }
  const storeOf = (group: Counted): RateStore => ({
    increment: (client) => count(group, client),
    take: (client, batch) => count(group, client, batch),
    // The interface has these; the rate limit counts every request and takes none back.
    decrement: () => undefined,
    resetKey: () => undefined,
  })
  return {
    stores: new Map(groups.map((group) => [group, storeOf(group)])),
    receive(message) {
      if (message.kind !== 'counted') return
      const { id, totalHits, resetTime, isTaken = true } = message
      waiting.get(id)?.({ totalHits, resetTime: new Date(resetTime), isTaken })
      waiting.delete(id)
    },
  }
}

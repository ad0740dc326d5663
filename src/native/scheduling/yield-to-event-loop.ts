/**
 * Lets the event loop look at its sockets between pieces of work. Callers that go on all at once make the
 * next small request wait for all of them; so a few go on in each iteration. Requests take turns, so a search need
 * not wait for all texts of a batch.
 */
import { createFairQueue } from './fair-queue.js'

/**
 * Resolves in an iteration of the event loop that has time left for the caller.
 * @param request an object that all callers of one request have in common, such as its signal
 */
export type YieldToEventLoop = (request?: object) => Promise<void>

/** Each immediate has a price, also one that comes too late to let a caller go on. */
const maxPerIteration = 16

/**
 * @param turnMs No other caller goes on in an iteration whose callers have taken that long; with 0, one
 *   goes on in each. A look at the sockets has its price, so short turns cost throughput.
 */
export function createYield(turnMs: number): YieldToEventLoop {
  const waiting = createFairQueue<() => void>()
  /** Immediates that are set and have not run. */
  let pending = 0
  /** Set from the first immediate of an iteration to the last. */
  let endsMs: number | undefined

  /** Sets an immediate for each caller: Node runs all that follows from one before it runs the next. */
  function schedule(count: number): void {
    pending += count
    for (let i = 0; i < count; i++) setImmediate(resume)
  }

  function resume(): void {
    const nowMs = performance.now()
    if (endsMs === undefined || nowMs < endsMs) waiting.next()?.()
    endsMs ??= nowMs + turnMs
    pending -= 1
    if (pending > 0) return
    endsMs = undefined
    // What an immediate sets runs in the next iteration.
    schedule(Math.min(waiting.size(), maxPerIteration))
  }

  return (request) =>
    new Promise((resolve) => {
      waiting.add(resolve, request)
      if (endsMs === undefined && pending < maxPerIteration) schedule(1)
    })
}

/**
 * For searches that come back together from one scan: one goes on in each iteration, because what follows
 * may take a millisecond of each.
 */
export const yieldToEventLoop = createYield(0)

/** Time as the client sees it, so that waits of minutes can be tested in none. */
import { setTimeout as delay } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `milliseconds`; rejects with the signal's reason when it is aborted before. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** What a timer of Node's can hold; about 24 days. */
export const longestTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      // A longer timer would fire at once; whoever waits longer looks at the clock again.
      const bounded = Math.min(milliseconds, longestTimerMs)
      await delay(bounded, undefined, signal === undefined ? {} : { signal })
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  },
}

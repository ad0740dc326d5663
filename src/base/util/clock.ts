/** The clock of a client. Tests replace it, so that they need not wait for minutes. */
import { setTimeout as delay } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `milliseconds`; rejects with the signal's reason when it is aborted before. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** The longest timer in Node; about 24 days. */
export const maxTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      // A longer timer would fire at once. Callers check the clock again after the sleep.
      const bounded = Math.min(milliseconds, maxTimerMs)
      await delay(bounded, undefined, signal === undefined ? {} : { signal })
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  },
}

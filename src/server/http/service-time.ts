/**
 * Estimates how long one more request of a route takes, from how fast the last ones ended. With n requests
 * running and one ending every s seconds, the next one ends after (n + 1) s. That holds however the work is
 * batched and spread over threads.
 */
export interface ServiceTime {
  /** @param size how many requests begin at once, as a batch does; 1 if absent */
  began(size?: number): void
  /** @param isDone false for dropped work, which says nothing of the service time */
  ended(isDone: boolean, size?: number): void
  /** Milliseconds until so many more requests would end; 0 before the first has ended. */
  nextMs(size?: number): number
}

/** A mean of about the last sixteen: one slow request moves it little, a lasting change moves it soon. */
const share = 1 / 16

export function createServiceTime(now: () => number = () => performance.now()): ServiceTime {
  let running = 0
  let lastMs = 0
  let meanMs: number | undefined
  return {
    began(size = 1) {
      if (running === 0) lastMs = now()
      running += size
    },
    ended(isDone, size = 1) {
      running -= size
      if (!isDone) return
      const endedMs = now()
      const tookMs = (endedMs - lastMs) / size
      lastMs = endedMs
      meanMs = meanMs === undefined ? tookMs : meanMs + (tookMs - meanMs) * share
    },
    nextMs: (size = 1) => (meanMs ?? 0) * (running + size),
  }
}

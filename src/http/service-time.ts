/**
 * Estimates how long one more request of a route takes, from how fast the last ones ended. With n requests
 * running and one ending every s seconds, the next one ends after (n + 1) s. That holds however the work is
 * batched and spread over threads.
 */
export interface ServiceTime {
  began(): void
  /** @param isDone false for dropped work, which says nothing of the service time */
  ended(isDone: boolean): void
  /** Milliseconds until one more request would end; 0 before the first has ended. */
  nextMs(): number
}

/** A mean of about the last sixteen: one slow request moves it little, a lasting change moves it soon. */
const share = 1 / 16

export function createServiceTime(now: () => number = () => performance.now()): ServiceTime {
  let running = 0
  let lastMs = 0
  let meanMs: number | undefined
  return {
    began() {
      if (running === 0) lastMs = now()
      running += 1
    },
    ended(isDone) {
      running -= 1
      if (!isDone) return
      const tookMs = now() - lastMs
      lastMs += tookMs
      meanMs = meanMs === undefined ? tookMs : meanMs + (tookMs - meanMs) * share
    },
    nextMs: () => (meanMs ?? 0) * (running + 1),
  }
}

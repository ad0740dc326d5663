/**
 * How long one more request of a kind would take, from how fast the last ones of it were answered. With n
 * under way and one done every s, the next is done after (n + 1) s, however the work is batched and
 * spread over threads, and whatever else the machine does.
 */
export interface ServiceTime {
  began(): void
  /** @param isDone false for work that was dropped, which says nothing of the pace */
  ended(isDone: boolean): void
  /** Milliseconds; 0 while nothing is known. */
  nextMs(): number
}

/** A mean of the last sixteen or so: one slow request moves it little, a change of pace soon. */
const share = 1 / 16

export function createServiceTime(now: () => number = () => performance.now()): ServiceTime {
  let underWay = 0
  let lastMs = 0
  let meanMs: number | undefined
  return {
    began() {
      if (underWay === 0) lastMs = now()
      underWay += 1
    },
    ended(isDone) {
      underWay -= 1
      if (!isDone) return
      const tookMs = now() - lastMs
      lastMs += tookMs
      meanMs = meanMs === undefined ? tookMs : meanMs + (tookMs - meanMs) * share
    },
    nextMs: () => (meanMs ?? 0) * (underWay + 1),
  }
}

/** How long to wait before a worker that keeps dying is started again. */
export interface BackOff {
  /** 0 for the first start and after a success. */
  waitMs(): number
  failed(): void
  worked(): void
}

const firstWaitMs = 100
const longestWaitMs = 10_000

export function createBackOff(now: () => number = () => performance.now()): BackOff {
  let failures = 0
  let failedMs = 0
  return {
    waitMs() {
      if (failures === 0) return 0
      const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1))
      return Math.max(0, failedMs + waitMs - now())
    },
    failed() {
      failures += 1
      failedMs = now()
    },
    worked() {
      failures = 0
    },
  }
}

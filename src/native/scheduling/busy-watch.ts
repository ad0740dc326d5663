/**
 * A busy event loop needs a processor of its own. Where a scanning thread takes it, all clients wait, and
 * the scan waits as well, because its last thread is the one that is preempted.
 */
import { performance } from 'node:perf_hooks'

const pollMs = 100
/** Share of the time, 0 to 1, from which an event loop counts as busy. */
const busyShare = 0.7

/**
 * Watches the event loop of the calling thread. Calls `limit` with how many of `threads` may scan whenever
 * that changes. Returns a function that stops it.
 */
export function watchBusy(threads: number, limit: (threads: number) => void): () => void {
  if (threads < 2) return () => undefined
  let [before, wasBusy] = [performance.eventLoopUtilization(), false]

  function poll(): void {
    const now = performance.eventLoopUtilization()
    const isBusy = performance.eventLoopUtilization(now, before).utilization > busyShare
    before = now
    if (isBusy !== wasBusy) limit(isBusy ? threads - 1 : threads)
    wasBusy = isBusy
  }

  const timer = setInterval(poll, pollMs).unref()
  return () => {
    clearInterval(timer)
    if (wasBusy) limit(threads)
  }
}

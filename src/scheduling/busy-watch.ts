/**
 * While the thread that answers is busy, it needs a processor of its own: each time that a thread which
 * scans takes it, whoever is answered next waits, and so does the search, for the thread that is put off.
 */
import { performance } from 'node:perf_hooks'

const lookMs = 100
/** Share of the time that the thread that answers is at work, 0 to 1, from which it is busy. */
const busyShare = 0.7

/**
 * To be called on the thread that answers; says how many of `threads` may scan whenever that changes.
 * Answers what stops it.
 */
export function watchBusy(threads: number, limit: (threads: number) => void): () => void {
  if (threads < 2) return () => undefined
  let [before, wasBusy] = [performance.eventLoopUtilization(), false]

  function look(): void {
    const now = performance.eventLoopUtilization()
    const isBusy = performance.eventLoopUtilization(now, before).utilization > busyShare
    before = now
    if (isBusy !== wasBusy) limit(isBusy ? threads - 1 : threads)
    wasBusy = isBusy
  }

  const timer = setInterval(look, lookMs).unref()
  return () => {
    clearInterval(timer)
    if (wasBusy) limit(threads)
  }
}

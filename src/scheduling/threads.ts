/** How many threads a serving process computes with. */
import { availableParallelism } from 'node:os'
import type { ServerSettings } from '../config/settings.js'
import { watchBusy } from './busy-watch.js'
import { limitScanThreads, nativeInfo } from '../native/index.js'

/** The processes share the CPUs unless they are told otherwise. */
export function threadsOf({
  threads,
  workers,
}: Pick<ServerSettings, 'threads' | 'workers'>): number {
  return threads > 0 ? threads : Math.max(1, Math.floor(availableParallelism() / workers))
}

/** The addon reads its threads from here when it is loaded; what somebody has set goes before. */
export function setScanThreads(settings: ServerSettings): void {
  process.env.SYNOPTIC_SCAN_THREADS ??= String(threadsOf(settings))
}

/** Where they would take all processors, one of them rests while the process is busy answering. Answers what stops that. */
export function spareProcessor({ workers }: Pick<ServerSettings, 'workers'>): () => void {
  const { threads } = nativeInfo()
  const takesAll = threads * workers >= availableParallelism()
  return takesAll ? watchBusy(threads, limitScanThreads) : () => undefined
}

/** How many threads a serving process computes with. */
import { availableParallelism } from 'node:os'
import type { ServerSettings } from '../../base/config/settings.js'
import { watchBusy } from './busy-watch.js'
import { limitScanThreads, nativeInfo } from '../addon/index.js'

/** The processes share the CPUs where `--threads` is 0. */
export function threadsOf({
  threads,
  workers,
}: Pick<ServerSettings, 'threads' | 'workers'>): number {
  return threads > 0 ? threads : Math.max(1, Math.floor(availableParallelism() / workers))
}

/** Sets the variable that the addon reads when it is loaded. A value that is set already stays. */
export function setScanThreads(settings: Pick<ServerSettings, 'threads' | 'workers'>): void {
  process.env.SYNOPTIC_SCAN_THREADS ??= String(threadsOf(settings))
}

/** Keeps a processor free for a busy event loop where scans would take all. Returns a function that stops it. */
export function spareProcessor({ workers }: Pick<ServerSettings, 'workers'>): () => void {
  const { threads } = nativeInfo()
  const takesAll = threads * workers >= availableParallelism()
  return takesAll ? watchBusy(threads, limitScanThreads) : () => undefined
}

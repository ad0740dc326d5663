/** The progress of `eval`: a bar, on a terminal only. */
import { SingleBar } from 'cli-progress'
import { barSize } from './bar-size.js'

export interface EvalProgressBar {
  /** Counts one query of one system. */
  readonly step: () => void
  /** Removes the bar. */
  stop(): void
}

export function createEvalProgressBar(total: number): EvalProgressBar {
  const format = 'Searching [{bar}] {value}/{total}, {eta_formatted} left'
  const barsize = barSize('Searching [] 10000/10000, 10m10s left'.length)
  const bar = new SingleBar({ format, barsize, clearOnComplete: true, hideCursor: true })
  if (!process.stderr.isTTY) return { step: () => undefined, stop: () => undefined }
  bar.start(total, 0)
  return { step: () => bar.increment(), stop: () => bar.stop() }
}

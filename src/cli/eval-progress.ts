/** The progress of `eval`: a bar, on a terminal only. */
import { SingleBar } from 'cli-progress'

export interface EvalProgressBar {
  /** Counts one query of one system. */
  readonly step: () => void
  /** Removes the bar. */
  stop(): void
}

export function createEvalProgressBar(total: number): EvalProgressBar {
  const format = 'Searching [{bar}] {value}/{total}, {eta_formatted} left'
  const bar = new SingleBar({ format, clearOnComplete: true, hideCursor: true })
  if (!process.stderr.isTTY) return { step: () => undefined, stop: () => undefined }
  bar.start(total, 0)
  return { step: () => bar.increment(), stop: () => bar.stop() }
}

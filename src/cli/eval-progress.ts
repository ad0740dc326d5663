/** What `eval` shows meanwhile: a bar on a terminal and nothing elsewhere. */
import { SingleBar } from 'cli-progress'

export interface EvalMeter {
  /** One system has answered one more query. */
  readonly step: () => void
  /** Takes the bar away. */
  stop(): void
}

export function createEvalMeter(total: number): EvalMeter {
  const format = 'Searching [{bar}] {value}/{total}, {eta_formatted} left'
  const bar = new SingleBar({ format, clearOnComplete: true, hideCursor: true })
  if (!process.stderr.isTTY) return { step: () => undefined, stop: () => undefined }
  bar.start(total, 0)
  return { step: () => bar.increment(), stop: () => bar.stop() }
}

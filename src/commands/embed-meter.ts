/** What `embed build` shows: a bar on a terminal, and a line a column everywhere. */
import { SingleBar } from 'cli-progress'
import type { BuildProgress, BuildResult } from '../embed/build.js'

export interface BuildMeter {
  readonly show: (progress: BuildProgress) => void
  /** Says what came of it. */
  end(result: BuildResult): void
  /** Takes the bar away. Idempotent. */
  close(): void
}

export function createBuildMeter(dataset: string): BuildMeter {
  const format = `${dataset} [{bar}] {value}/{total} texts, {rate}/s, {left} left`
  const bar = new SingleBar({ format, clearOnComplete: true, hideCursor: true })
  const startMs = performance.now()
  let isRunning = false

  function close(): void {
    if (isRunning) bar.stop()
    isRunning = false
  }

  function showBar(done: number, total: number, share: number): void {
    if (!process.stderr.isTTY) return
    const seconds = (performance.now() - startMs) / 1000
    const rate = (done / seconds).toFixed(done < 10 * seconds ? 1 : 0)
    const left = describeSeconds((seconds * (1 - share)) / share)
    if (isRunning) bar.update(done, { rate, left })
    else bar.start(total, done, { rate, left })
    isRunning = true
  }

  return {
    show(progress) {
      if (progress.phase === 'encode') showBar(progress.done, progress.total, progress.share)
      else {
        close()
        process.stdout.write(`${dataset}: ${progress.column}: ${progress.texts} texts\n`)
      }
    },
    end({ texts, encoded, truncated, manifest }) {
      close()
      const seconds = (performance.now() - startMs) / 1000
      const cut = truncated === 0 ? '' : `, ${truncated} longer than ${manifest.maxTokens} tokens`
      const rate = encoded === 0 ? '' : `, ${(encoded / seconds).toFixed(0)}/s`
      process.stdout.write(
        `${dataset}: ${encoded} of ${texts} texts encoded with ${manifest.model}${cut} ` +
          `in ${describeSeconds(seconds)}${rate}\n`,
      )
    },
    close,
  }
}

function describeSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${seconds.toFixed(0)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`
}

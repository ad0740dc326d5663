/** The progress of `embed build`: a bar on a terminal, and a line for each column in any case. */
import { SingleBar } from 'cli-progress'
import type { BuildProgress, BuildResult } from '../data/embed/build.js'
import type { EncodeProgress } from '../data/embed/encode-texts.js'
import { counted } from '../base/util/counted.js'
import { barSize } from './bar-size.js'
import { print } from './print.js'

export interface BuildProgressBar {
  readonly show: (progress: BuildProgress) => void
  /** Prints the result. */
  end(result: BuildResult): void
  /** Removes the bar. Idempotent. */
  close(): void
}

export function createBuildProgressBar(dataset: string): BuildProgressBar {
  const format = `${dataset} [{bar}] {status}`
  const barsize = barSize(dataset.length + 60)
  const bar = new SingleBar({ format, barsize, clearOnComplete: true, hideCursor: true })
  const startMs = performance.now()
  let isRunning = false

  function close(): void {
    if (isRunning) bar.stop()
    isRunning = false
  }

  function showBar(share: number, status: string): void {
    if (!process.stderr.isTTY) return
    if (isRunning) bar.update(share, { status })
    else bar.start(1, share, { status })
    isRunning = true
  }

  function describeEncoding({ done, total, share }: EncodeProgress): string {
    const seconds = (performance.now() - startMs) / 1000
    const rate = (done / seconds).toFixed(done < 10 * seconds ? 1 : 0)
    const remaining = describeSeconds((seconds * (1 - share)) / share)
    return `${done}/${counted(total, 'text')}, ${rate}/s, ${remaining} left`
  }

  return {
    show(progress) {
      if (progress.phase === 'encode') showBar(progress.share, describeEncoding(progress))
      else if (progress.phase === 'codes') showBar(progress.share, `quantizing ${progress.column}`)
      else {
        close()
        print(`${dataset}: ${progress.column}: ${counted(progress.texts, 'text')}\n`)
      }
    },
    end({ texts, encoded, truncated, manifest }) {
      close()
      const seconds = (performance.now() - startMs) / 1000
      const cut = truncated === 0 ? '' : `, ${truncated} longer than ${manifest.maxTokens} tokens`
      const rate = encoded === 0 ? '' : `, ${(encoded / seconds).toFixed(0)}/s`
      print(
        `${dataset}: ${encoded} of ${counted(texts, 'text')} encoded with ${manifest.model}${cut} ` +
          `in ${describeSeconds(seconds)}${rate}${manifest.imported ? ', the others imported' : ''}\n`,
      )
    },
    close,
  }
}

export function describeSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${seconds.toFixed(0)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`
}

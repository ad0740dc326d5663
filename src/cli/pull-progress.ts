/** The progress of `models pull`: a bar on a terminal, and a line for each retry in any case. */
import { SingleBar } from 'cli-progress'
import type { PullProgress } from '../models/tools/pull.js'
import { barSize } from './bar-size.js'
import { printError } from './print.js'

export interface PullProgressBar {
  readonly show: (progress: PullProgress) => void
  /** A transfer failed and will be retried. */
  readonly retry: (problem: string, waitMs: number) => void
  /** Removes the bar. Idempotent. */
  close(): void
}

export function createPullProgressBar(model: string): PullProgressBar {
  const format = `${model} [{bar}] {done} of {all} MB, {speed} MB/s, {file}`
  const barsize = barSize(model.length + ' [] 1234.5 of 1234.5 MB, 123.4 MB/s, model.onnx'.length)
  const bar = new SingleBar({ format, barsize, clearOnComplete: true, hideCursor: true })
  const startMs = performance.now()
  let isRunning = false

  function close(): void {
    if (isRunning) bar.stop()
    isRunning = false
  }

  return {
    show({ file, doneBytes, totalBytes }) {
      if (!process.stderr.isTTY) return
      const seconds = Math.max(0.001, (performance.now() - startMs) / 1000)
      const speed = (doneBytes / 1e6 / seconds).toFixed(1)
      const payload = { done: megabytes(doneBytes), all: megabytes(totalBytes), speed, file }
      if (isRunning) bar.update(doneBytes, payload)
      else bar.start(totalBytes, doneBytes, payload)
      isRunning = true
    },
    retry(problem, waitMs) {
      close()
      printError(`${model}: ${problem}; retrying in ${(waitMs / 1000).toFixed(0)} s\n`)
    },
    close,
  }
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

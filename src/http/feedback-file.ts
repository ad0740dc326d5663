/** Keeps which result people meant: JSON lines that `synoptic eval --descriptions` reads. */
import { appendFile } from 'node:fs/promises'
import type { DatasetName } from '../catalogue/dataset.js'

export interface Feedback {
  /** Rejects with the error of the file system where the line cannot be written. */
  keep(meant: Meant): Promise<void>
}

interface Meant {
  readonly dataset: DatasetName
  readonly query: string
  /** The entry that was meant. */
  readonly work: number
  /** Its place among the results, from 1. */
  readonly rank: number
}

/** @param now milliseconds since 1970; a line has the day alone */
export function createFeedbackFile(file: string, now: () => number = Date.now): Feedback {
  return {
    async keep({ dataset, query, work, rank }) {
      const day = new Date(now()).toISOString().slice(0, 10)
      const line = JSON.stringify({ dataset, description: query, id: work, rank, day })
      // Of one write, lines of several processes do not mix.
      await appendFile(file, `${line}\n`, { mode: 0o600 })
    },
  }
}

/** Keeps which results people chose as the right ones: JSON lines that `synoptic eval --descriptions` reads. */
import { open } from 'node:fs/promises'
import type { DatasetName } from '../../data/catalogue/dataset.js'
import { nameFile } from '../../base/util/system-reason.js'

export interface Feedback {
  /** Rejects with the error of the file system where the line cannot be written. */
  keep(choice: Choice): Promise<void>
}

interface Choice {
  readonly dataset: DatasetName
  readonly query: string
  /** The right entry. */
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
      await appendLine(file, `${line}\n`)
    },
  }
}

/** All of it or, on a full disk, nothing. Of one write, lines of several processes do not mix. */
async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, 'a', 0o600)
  const bytes = Buffer.from(line)
  let written = 0
  try {
    while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten
  } catch (error) {
    if (written > 0) await file.truncate((await file.stat()).size - written)
    throw nameFile(error, path)
  } finally {
    await file.close()
  }
}

/**
 * A log file that keeps its name: a line that finds 10 MiB moves `api.log` to `api.log.1`, that to
 * `api.log.2`, …, and the eleventh goes. The names are those of logrotate and of Python's
 * RotatingFileHandler, so whatever reads such logs finds them. Writing is asynchronous and in order.
 */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { open, rename, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../util/make-folder.js'

const rotateAtBytes = 10 * 1024 * 1024
const backups = 10
/** Lines that wait for a slow reader, or a full disk, are dropped beyond this. */
export const queueLimitBytes = 4 * 1024 * 1024
/** One write takes as many waiting lines as this holds. */
const chunkBytes = 64 * 1024

export interface LineSink {
  /** One or more whole lines. */
  write(lines: string): void
  /** Writes what is queued; nothing may be written afterwards. */
  close(): Promise<void>
}

/**
 * @param onError told of the first write that fails; the file is tried again with the next lines
 * @throws what opening the file throws
 */
export function openRotatingFile(
  file: string,
  onError: (error: unknown) => void,
  limitBytes = rotateAtBytes,
): LineSink {
  let size = prepare(file)
  const queue: Buffer[] = []
  let queuedBytes = 0
  let handle: FileHandle | undefined
  let pumping: Promise<void> | undefined
  let hasFailed = false

  async function pump(): Promise<void> {
    while (queue.length > 0) {
      try {
        if (size >= limitBytes) await rotate()
        handle ??= await open(file, 'a')
        const { bytesWritten } = await handle.write(nextChunk())
        size += bytesWritten
        forget(bytesWritten)
      } catch (error) {
        if (!hasFailed) onError(error)
        hasFailed = true
        await letGo()
        // The next line tries again; until there is no room for more, nothing is lost.
        break
      }
    }
    pumping = undefined
  }

  /** As much of the queue as fits one write and the file; at least one line. */
  function nextChunk(): Buffer {
    let length = 0
    let count = 0
    while (count < queue.length && length < chunkBytes && size + length < limitBytes) {
      length += queue[count]?.length ?? 0
      count += 1
    }
    return Buffer.concat(queue.slice(0, count))
  }

  /** What is written; a full disk may take a part of a line, of which the rest comes first when there is room. */
  function forget(bytes: number): void {
    queuedBytes -= bytes
    let left = bytes
    while (queue[0] !== undefined && left >= queue[0].length) left -= queue.shift()?.length ?? 0
    if (left > 0 && queue[0] !== undefined) queue[0] = queue[0].subarray(left)
  }

  async function rotate(): Promise<void> {
    await letGo()
    for (let number = backups - 1; number >= 0; number--) {
      const from = number === 0 ? file : `${file}.${number}`
      // Most often because there are not yet that many.
      await rename(from, `${file}.${number + 1}`).catch(() => undefined)
    }
    size = 0
  }

  async function letGo(): Promise<void> {
    const held = handle
    handle = undefined
    await held?.close().catch(() => undefined)
  }

  return {
    write(lines) {
      const bytes = Buffer.from(lines)
      if (queuedBytes + bytes.length > queueLimitBytes) return
      queue.push(bytes)
      queuedBytes += bytes.length
      pumping ??= pump()
    },
    async close() {
      while (pumping !== undefined) await pumping
      // What a full disk refused: there may be room by now.
      await pump()
      await letGo()
    },
  }
}

/** Creates the file where it is not there, and answers its size. */
function prepare(file: string): number {
  makeFolder(dirname(file))
  const descriptor = openSync(file, 'a')
  try {
    return fstatSync(descriptor).size
  } finally {
    closeSync(descriptor)
  }
}

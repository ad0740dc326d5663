/**
 * A log file that keeps its name: at 10 MiB `api.log` becomes `api.log.1`, that `api.log.2`, …, and the
 * eleventh goes. The names are those of logrotate and of Python's RotatingFileHandler, so whatever
 * reads such logs finds them. Writing is asynchronous; lines queue while a write is under way.
 */
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import pino from 'pino'

const rotateAtBytes = 10 * 1024 * 1024
const backups = 10
/** Lines waiting for a slow or full disk are dropped beyond this. */
const queueBytes = 4 * 1024 * 1024

export interface RotatingFile {
  write(line: string): void
  /** Writes what is queued. */
  close(): Promise<void>
}

/**
 * @param onError told of the first write that fails; the file is tried again with every line
 * @throws what opening the file throws
 */
export function openRotatingFile(
  file: string,
  onError: (error: NodeJS.ErrnoException) => void,
  limitBytes = rotateAtBytes,
): RotatingFile {
  mkdirSync(dirname(file), { recursive: true })
  closeSync(openSync(file, 'a'))
  const stream = pino.destination({ dest: file, sync: false, maxLength: queueBytes })
  let size = statSync(file).size
  let isBroken = false
  stream.on('write', (writtenBytes: number) => {
    size += writtenBytes
    if (size >= limitBytes) rotate()
  })
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isBroken) onError(error)
    isBroken = true
  })

  function rotate(): void {
    size = 0
    for (let number = backups - 1; number >= 0; number--) {
      const from = number === 0 ? file : `${file}.${number}`
      try {
        renameSync(from, `${file}.${number + 1}`)
      } catch {
        // There are not yet that many.
      }
    }
    stream.reopen()
  }

  return {
    write(line) {
      stream.write(line)
    },
    close() {
      return new Promise((resolve) => {
        stream.once('close', resolve)
        stream.once('error', () => resolve())
        stream.end()
      })
    },
  }
}

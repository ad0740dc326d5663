/**
 * The journal: writes that were answered and may not be in the catalogue yet, a line each, with a checksum. A line is on
 * disk before its request is answered. The last line may be torn by a kill: it was never answered, and is dropped.
 */
import { hash } from 'node:crypto'
import { constants, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { JournalError } from '../../base/errors/index.js'
import { Database } from '../../base/util/sqlite.js'
import { syncFolder } from '../../base/util/sync-to-disk.js'
import { nameFile } from '../../base/util/system-reason.js'
import { writeAll } from '../../base/util/write-all.js'
import type { WriteRecord } from './operation.js'

export const journalFile = (dataDir: string): string => join(dataDir, 'writes.journal')

export interface JournalContents {
  readonly records: readonly WriteRecord[]
  /** Bytes of whole lines. */
  readonly bytes: number
  /** Bytes after them, of a line that a kill has torn. */
  readonly tornBytes: number
}

const newline = 10
const checksumDigits = 16

/** @throws JournalError where a line is damaged that others follow */
export function readJournal(file: string): JournalContents {
  let content: Buffer
  try {
    content = readFileSync(file)
  } catch (error) {
    if (!isMissing(error)) throw error
    return { records: [], bytes: 0, tornBytes: 0 }
  }
  const records: WriteRecord[] = []
  let bytes = 0
  for (let line = 1; bytes < content.length; line += 1) {
    const end = content.indexOf(newline, bytes)
    const record = end < 0 ? undefined : recordOf(content.toString('utf8', bytes, end))
    if (record === undefined) {
      if (end >= 0 && end + 1 < content.length) throw new JournalError(file, line)
      break
    }
    records.push(record)
    bytes = end + 1
  }
  return { records, bytes, tornBytes: content.length - bytes }
}

function recordOf(line: string): WriteRecord | undefined {
  const text = line.slice(checksumDigits + 1)
  return line.startsWith(`${checksum(text)} `) ? (JSON.parse(text) as WriteRecord) : undefined
}

export function lineOf(record: WriteRecord): string {
  const text = JSON.stringify(record)
  return `${checksum(text)} ${text}\n`
}

const checksum = (text: string) => hash('sha256', text).slice(0, checksumDigits)

/** The journal, owned by this process until it is closed. */
export interface Journal {
  /** Resolves when the record is on disk. Lines of requests that wait are written together. */
  append(record: WriteRecord): Promise<void>
  /** Empties the journal if all of its records are in the catalogue, up to this one. */
  forget(applied: number): Promise<void>
  close(): Promise<void>
}

interface Waiting {
  readonly record: WriteRecord
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Resolves to undefined where another process owns the journal.
 * @throws JournalError, and what the file system throws
 */
export async function openJournal(
  path: string,
): Promise<{ journal: Journal; contents: JournalContents } | undefined> {
  const lock = takeLock(`${path}.lock`)
  if (lock === undefined) return undefined
  try {
    const contents = readJournal(path)
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    await file.truncate(contents.bytes)
    await file.sync()
    await syncFolder(dirname(path))
    const last = contents.records.at(-1)?.seq ?? 0
    return { journal: createJournal(path, file, lock, { size: contents.bytes, last }), contents }
  } catch (error) {
    lock.close()
    throw nameFile(error, path)
  }
}

/** The lock is SQLite's, which the system releases after a kill. */
function takeLock(path: string): Database | undefined {
  const lock = new Database(path, { timeout: 500 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      return undefined
    throw error
  }
}

function createJournal(
  path: string,
  file: FileHandle,
  lock: Database,
  state: { size: number; last: number },
): Journal {
  let queue: Waiting[] = []
  let running = Promise.resolve()
  /** What a write has left that could not be taken back: nothing may follow it. */
  let fault: Error | undefined

  async function flush(): Promise<void> {
    const batch = queue
    queue = []
    if (batch.length === 0) return
    try {
      if (fault !== undefined) throw fault
      await write(Buffer.from(batch.map(({ record }) => lineOf(record)).join('')))
      state.last = batch.at(-1)?.record.seq ?? state.last
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async function write(bytes: Buffer): Promise<void> {
    try {
      await writeAll(file, path, bytes, state.size)
      await file.datasync()
      state.size += bytes.length
    } catch (error) {
      await file.truncate(state.size).catch((cause: unknown) => {
        fault = new Error(`${path}: a line that could not be written cannot be taken back`, {
          cause,
        })
      })
      throw nameFile(error, path)
    }
  }

  function inTurn(task: () => Promise<void>): Promise<void> {
    const run = running.then(task)
    running = run.catch(() => undefined)
    return run
  }

  return {
    append: (record) =>
      new Promise((resolve, reject) => {
        queue.push({ record, resolve, reject })
        void inTurn(flush)
      }),
    forget: (applied) =>
      inTurn(async () => {
        if (state.size === 0 || state.last > applied) return
        await file.truncate(0)
        await file.datasync()
        state.size = 0
      }),
    async close() {
      await running
      await file.close()
      lock.close()
    },
  }
}

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/**
 * Which processes serve a data folder: each holds a lock on a file that has its id in its name. The system
 * releases the lock when the process ends, so an id that another process has by now is never taken for it.
 */
import { readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Database } from './sqlite.js'

/** Processes of another machine or container have ids of their own. */
const prefix = () => `serving-${hostname().replace(/[^\w.-]+/g, '_')}-`

/** Returns what ends it. A folder that cannot be written is served all the same. */
export function markServing(folder: string): () => void {
  const file = join(folder, `${prefix()}${process.pid}.lock`)
  try {
    const lock = new Database(file)
    lock.exec('BEGIN EXCLUSIVE')
    return () => {
      lock.close()
      remove(file)
    }
  } catch {
    return () => undefined
  }
}

/** Ids of the processes of this machine that serve the folder. */
export function servingProcesses(folder: string): readonly number[] {
  const start = prefix()
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && name.endsWith('.lock'))
    .flatMap((name) => {
      const pid = Number(name.slice(start.length, -'.lock'.length))
      return Number.isSafeInteger(pid) && isLocked(join(folder, name)) ? [pid] : []
    })
}

/** Removes the file of a process that has ended. */
function isLocked(file: string): boolean {
  const lock = new Database(file, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    lock.close()
    remove(file)
    return false
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return true
    throw error
  } finally {
    lock.close()
  }
}

/** Removes also the journal that SQLite keeps next to a locked file. */
function remove(file: string): void {
  for (const path of [file, `${file}-journal`]) rmSync(path, { force: true })
}

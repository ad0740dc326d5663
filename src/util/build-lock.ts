/** Keeps two builds of one catalogue apart, so that neither undoes the other. */
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { makeFolder } from './make-folder.js'

/** Two that ask in the same moment are in each other's way for an instant; without it both would go. */
const settleMs = 500

/**
 * Runs `build` while no other process builds the same file; undefined when one does. The lock is
 * SQLite's on a small file beside the catalogue: the system lets go of it even after a kill.
 */
export async function withBuildLock<T>(
  file: string,
  build: () => Promise<T>,
): Promise<T | undefined> {
  makeFolder(dirname(file))
  const lock = new Database(`${file}.lock`, { timeout: settleMs })
  try {
    if (!acquire(lock)) return undefined
    return await build()
  } finally {
    lock.close()
  }
}

function acquire(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (cause) {
    if (cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_BUSY')) return false
    throw cause
  }
}

/** Allows one build of a file at a time. */
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Database } from './sqlite.js'
import { makeFolder } from './make-folder.js'

/** Two processes that lock at the same moment block each other for an instant; this wait lets one succeed. */
const settleMs = 500

/**
 * Runs `build` unless another process builds the same file; then resolves to undefined. The lock is SQLite's, on
 * a small file next to the target. The system releases it even after a kill. Where SQLite finds the disk full, the
 * promise rejects with ENOSPC.
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
  } catch (error) {
    throw isFull(error) ? diskFull(file, error) : error
  } finally {
    lock.close()
  }
}

const patientMs = 120_000
const retryMs = 200

/** The same, but waits for the other process for two minutes. */
export async function withBuildLockInTime<T>(
  file: string,
  build: () => Promise<T>,
): Promise<T | undefined> {
  const begunMs = performance.now()
  for (;;) {
    const built = await withBuildLock(file, build)
    if (built !== undefined || performance.now() - begunMs > patientMs) return built
    await delay(retryMs)
  }
}

const isFull = (error: unknown) =>
  error instanceof Database.SqliteError && error.code === 'SQLITE_FULL'

/** As Node says it. */
function diskFull(file: string, cause: unknown): Error {
  const message = `ENOSPC: no space left on device, next to ${file}`
  return Object.assign(new Error(message, { cause }), { code: 'ENOSPC', path: file })
}

function acquire(lock: Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (cause) {
    if (cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_BUSY')) return false
    throw cause
  }
}

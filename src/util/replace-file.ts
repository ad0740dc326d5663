/** Puts a small file in the place of another one, so that it is always whole. */
import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { syncFolderSync } from './sync-to-disk.js'

/**
 * Throws what the file system throws, with the file named; then everything is as it was. What is no regular file, such
 * as /dev/stdout, is written as it is.
 * @param mode of a file that only some may read
 */
export function replaceFile(path: string, content: string, mode = 0o666): void {
  const isSpecial = statSync(path, { throwIfNoEntry: false })?.isFile() === false
  const written = isSpecial ? path : `${path}.${process.pid}.new`
  try {
    write(written, content, mode)
    if (isSpecial) return
    renameSync(written, path)
    syncFolderSync(dirname(path))
  } catch (error) {
    if (!isSpecial) rmSync(written, { force: true })
    throw error instanceof Error ? Object.assign(error, { path }) : error
  }
}

function write(path: string, content: string, mode: number): void {
  const file = openSync(path, 'w', mode)
  try {
    writeFileSync(file, content)
    // What is no file cannot be flushed.
    if (statSync(path).isFile()) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

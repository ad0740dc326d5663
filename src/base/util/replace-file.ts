/** Puts a small file in the place of another one, so that it is always whole. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { followLink } from './follow-link.js'
import { syncFolderSync } from './sync-to-disk.js'

/**
 * Throws what the file system throws, with the file named; then everything is as it was. What is not a regular file, such
 * as /dev/stdout, is written as it is.
 * @param mode of a file that only some may read
 */
export function replaceFile(path: string, content: string, mode = 0o666): void {
  const isOther = statSync(path, { throwIfNoEntry: false })?.isFile() === false
  // A shell may have redirected /dev/stdout to a file.
  const isSpecial = isOther || path.startsWith('/dev/')
  const target = followLink(path)
  const written = isSpecial ? path : `${target}.${process.pid}.new`
  try {
    write(written, content, mode)
    if (isSpecial) return
    renameSync(written, target)
    syncFolderSync(dirname(target))
  } catch (error) {
    if (!isSpecial) rmSync(written, { force: true })
    throw error instanceof Error ? Object.assign(error, { path }) : error
  }
}

function write(path: string, content: string, mode: number): void {
  const file = openSync(path, 'w', mode)
  try {
    writeFileSync(file, content)
    // What is not a file cannot be flushed.
    if (fstatSync(file).isFile()) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

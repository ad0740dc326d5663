/** A pipe without a writer would never end, and none can be read twice. */
import { statSync } from 'node:fs'
import { DataImportError } from '../../base/errors/index.js'

/** @throws DataImportError, or the system's error where there is nothing */
export function requireRegular(path: string): void {
  const found = statSync(path)
  if (found.isFile()) return
  const kind = found.isDirectory() ? 'a folder' : found.isFIFO() ? 'a pipe' : 'another kind of file'
  throw new DataImportError(path, `expected a regular file, found ${kind}`)
}

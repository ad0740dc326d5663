/**
 * Hashes of the catalogue's blocks, after the last page of its file, where SQLite does not look. A table without
 * rows says that they must be there.
 */
import type { Database } from '../../base/util/sqlite.js'
import { CatalogueError } from '../../base/errors/index.js'
import { type CheckedFile, openCheckedFile } from '../../native/addon/checked-file.js'
import { openHashed } from '../../native/addon/hashed-file.js'

export const createTrailerTable = 'CREATE TABLE hashes_follow (unused INTEGER) STRICT'

/**
 * The file, to be compared with its hashes; an older one has none, and is only watched for changes.
 * @throws CatalogueError where its hashes should be there and are not
 */
export function openChecked(path: string, database: Database): CheckedFile {
  const hashed = openHashed(path)
  if (hashed !== undefined) return hashed
  const marker = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get('hashes_follow')
  if (marker === undefined) return openCheckedFile(path, 0, Buffer.alloc(0))
  throw new CatalogueError('corrupt', path, 'the catalogue is damaged (the hashes at its end)')
}

/**
 * Stores the rows of sources on disk while they are joined, so that only ids and titles are in memory. Only
 * the import opens the file.
 */
import { rmSync } from 'node:fs'
import { Database } from '../../base/util/sqlite.js'
import type { SourceRow } from './source.js'

export interface StagedRow {
  /** Position of its source. */
  readonly source: number
  readonly row: SourceRow
}

export interface StagedRows {
  /** Returns the number of the row, for `get`. */
  add(source: number, row: SourceRow): number
  get(number: number): StagedRow
  /** Removes the file. Idempotent. */
  close(): void
}

/** Begins an empty file at that path. */
export function openStagedRows(file: string): StagedRows {
  remove(file)
  const database = new Database(file)
  const close = () => {
    database.close()
    remove(file)
  }
  // A killed import's file is never read, so it needs no journal.
  try {
    database.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8192;
      CREATE TABLE rows (number INTEGER PRIMARY KEY, source INTEGER NOT NULL, row TEXT NOT NULL);
      BEGIN
    `)
  } catch (error) {
    close()
    throw error
  }
  const insert = database.prepare('INSERT INTO rows (source, row) VALUES (?, ?)')
  const select = database.prepare<[number], { source: number; row: string }>(
    'SELECT source, row FROM rows WHERE number = ?',
  )
  return {
    add: (source, row) => Number(insert.run(source, JSON.stringify(row)).lastInsertRowid),
    get(number) {
      const found = select.get(number)
      if (found === undefined) throw new RangeError(`expected a staged row, received ${number}`)
      return { source: found.source, row: JSON.parse(found.row) as SourceRow }
    },
    close,
  }
}

/** With the journal that SQLite leaves where it finds the disk full. */
function remove(file: string): void {
  for (const path of [file, `${file}-journal`]) rmSync(path, { force: true })
}

/**
 * Rows of sources on disk while they are joined, so that only what tells works apart has to be in
 * memory. The file is one of the import's own; nobody else opens it.
 */
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { SourceRow } from './source.js'

export interface StagedRow {
  /** Position of the source that it is of. */
  readonly source: number
  readonly row: SourceRow
}

export interface StagedRows {
  /** Answers the number by which `get` finds the row again. */
  add(source: number, row: SourceRow): number
  get(number: number): StagedRow
  /** Removes the file. Idempotent. */
  close(): void
}

/** Begins an empty file at that path. */
export function openStagedRows(file: string): StagedRows {
  rmSync(file, { force: true })
  const database = new Database(file)
  // Nobody reads what a killed import leaves, so no journal is needed.
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8192;
    CREATE TABLE rows (number INTEGER PRIMARY KEY, source INTEGER NOT NULL, row TEXT NOT NULL);
    BEGIN
  `)
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
    close() {
      database.close()
      rmSync(file, { force: true })
    },
  }
}

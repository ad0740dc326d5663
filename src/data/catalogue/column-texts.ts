/**
 * Texts that come row by row and are stored column by column, the order of their table, which packs its
 * pages full. Until then they lie in a file aside: the texts of a large dataset are no load on the memory.
 */
import type { Database } from '../../base/util/sqlite.js'

export interface ColumnTexts {
  /** @param texts of the row, in the order of the columns */
  add(row: number, texts: readonly (string | null)[]): void
  /** Writes the texts to their table and returns the number of each column. The last call. */
  store(): number[]
}

/** Attaches the temporary file to a connection, outside of any transaction. The caller removes the file. */
export function attachHeldTexts(database: Database, file: string): void {
  database.prepare('ATTACH ? AS held').run(file)
  database.exec(`
    PRAGMA held.journal_mode = OFF; PRAGMA held.synchronous = OFF; PRAGMA held.cache_size = -4096
  `)
}

export function stageTexts(database: Database, dataset: number, columnCount: number): ColumnTexts {
  const tables = Array.from({ length: columnCount }, (_, column) => `held.column_${column}`)
  for (const table of tables) {
    database.exec(`CREATE TABLE ${table} (row INTEGER PRIMARY KEY, text TEXT NOT NULL)`)
  }
  const inserts = tables.map((table) => database.prepare(`INSERT INTO ${table} VALUES (?, ?)`))
  return {
    add(row, texts) {
      inserts.forEach((insert, column) => {
        const text = texts[column] ?? null
        if (text !== null) insert.run(row, text)
      })
    },
    store: () =>
      tables.map((table, column) => {
        const { changes } = database
          .prepare(`INSERT INTO texts SELECT ?, ?, row, text FROM ${table} ORDER BY row`)
          .run(dataset, column)
        database.exec(`DROP TABLE ${table}`)
        return changes
      }),
  }
}

/** Rows of a table of an SQLite file. Views are not read: one may have no end. */
import { DataImportError } from '../../../base/errors/index.js'
import { Database } from '../../../base/util/sqlite.js'
import { codeOf } from '../cause.js'
import { listNames, type NumberedRow } from '../raw-rows.js'
import { plainValue } from './plain-value.js'

/**
 * @param table its name; the table with most rows if absent
 * @param onBytes called with a share of the database's size now and then
 * @throws DataImportError when the database is damaged, or has no such table
 */
export function* readSqliteRows(
  file: string,
  table: string | undefined,
  onBytes: (bytes: number) => void,
): Generator<NumberedRow> {
  const database = openDatabase(file)
  try {
    const name = tableOf(file, database, table)
    const total = countOf(database, name)
    const bytesPerRow = sizeOf(database) / Math.max(total, 1)
    let line = 0
    const rows = database
      .prepare<[], Readonly<Record<string, unknown>>>(`SELECT * FROM ${quoted(name)}`)
      .iterate()
    for (const record of rows) {
      yield {
        line: (line += 1),
        row: (column) =>
          Object.hasOwn(record, column) ? parsedList(plainValue(record[column])) : undefined,
      }
      onBytes(bytesPerRow)
    }
  } catch (cause) {
    throw asImportError(file, cause)
  } finally {
    database.close()
  }
}

export interface SqliteHead {
  readonly table: string
  readonly columns: readonly string[]
}

export function sqliteHead(file: string, table?: string): SqliteHead {
  const database = openDatabase(file)
  try {
    const name = tableOf(file, database, table)
    return { table: name, columns: columnsOf(database, name) }
  } catch (cause) {
    throw asImportError(file, cause)
  } finally {
    database.close()
  }
}

function openDatabase(file: string): Database {
  try {
    return new Database(file, { readonly: true, fileMustExist: true })
  } catch (cause) {
    throw asImportError(file, cause)
  }
}

function asImportError(file: string, cause: unknown): unknown {
  if (!(cause instanceof Database.SqliteError)) return cause
  return new DataImportError(file, `the database is damaged (${codeOf(cause)})`, { cause })
}

function tableOf(file: string, database: Database, wanted: string | undefined): string {
  const tables = database
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'`,
    )
    .pluck()
    .all()
  if (wanted !== undefined && tables.includes(wanted)) return wanted
  const [largest] = tables
    .map((name) => ({ name, rows: countOf(database, name) }))
    .toSorted((one, other) => other.rows - one.rows)
  if (wanted === undefined && largest !== undefined) return largest.name
  const expected = wanted === undefined ? 'a table' : `the table ${JSON.stringify(wanted)}`
  const found = tables.length === 0 ? 'none' : listNames(tables.slice(0, 20))
  throw new DataImportError(file, `expected ${expected}; found ${found}`)
}

const columnsOf = (database: Database, table: string) =>
  database.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)

const countOf = (database: Database, table: string) =>
  database
    .prepare<[], number>(`SELECT count(*) FROM ${quoted(table)}`)
    .pluck()
    .get() ?? 0

const sizeOf = (database: Database) =>
  Number(database.pragma('page_count', { simple: true })) *
  Number(database.pragma('page_size', { simple: true }))

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** SQLite has no lists; programs store them as JSON. */
function parsedList(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/**
 * What became of the latest writes, stored in the catalogue that has them: so a write is applied once, whenever a
 * process is killed. Catalogues of earlier versions have none.
 */
import { Database } from '../../base/util/sqlite.js'
import type { EntryId } from './text-ids.js'
import type { DatasetName } from './dataset.js'

export interface WriteFailure {
  /** Of the entry. */
  readonly id: EntryId
  readonly reason: string
}

export interface WriteResult {
  readonly seq: number
  readonly kind: 'put' | 'patch' | 'delete' | 'delete-matching'
  readonly dataset: DatasetName
  /** ISO 8601, as is `finishedAt`. */
  readonly enqueuedAt: string
  readonly finishedAt: string
  readonly added: number
  readonly updated: number
  readonly deleted: number
  /** Ids to delete that no entry had. */
  readonly missing: number
  readonly failures: readonly WriteFailure[]
}

const maxWriteResults = 1000

export const createWritesTable =
  'CREATE TABLE writes (seq INTEGER PRIMARY KEY, result TEXT NOT NULL) STRICT'

export function storeWriteResults(database: Database, results: readonly WriteResult[]): void {
  const insert = database.prepare('INSERT INTO writes VALUES (?, ?)')
  for (const result of results.slice(-maxWriteResults))
    insert.run(result.seq, JSON.stringify(result))
}

/** In the order of the writes; none where there is no catalogue, or none that can be read. */
export function readWriteResults(file: string): readonly WriteResult[] {
  let database: Database | undefined
  try {
    database = new Database(file, { readonly: true, fileMustExist: true })
    const rows = database
      .prepare<[], string>('SELECT result FROM writes ORDER BY seq')
      .pluck()
      .all()
    return rows.map((row) => JSON.parse(row) as WriteResult)
  } catch (error) {
    if (error instanceof Database.SqliteError || error instanceof SyntaxError) return []
    throw error
  } finally {
    database?.close()
  }
}

/** The last write that is in the catalogue, 0 for none. */
export const appliedWrite = (results: readonly WriteResult[]): number => results.at(-1)?.seq ?? 0

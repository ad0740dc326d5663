/** The genres and tags of a dataset in tables, for filters. */
import type { Database } from '../../base/util/sqlite.js'
import type { FactList } from './fact-lists.js'

/** @param dataset its number */
export function writeFacts(database: Database, dataset: number, lists: readonly FactList[]): void {
  const inserts = {
    genre: database.prepare('INSERT INTO genres VALUES (?, ?, ?)'),
    tag: database.prepare('INSERT INTO tags VALUES (?, ?, ?)'),
  }
  for (const { kind, value, rows } of lists) {
    if (kind !== 'genre' && kind !== 'tag') continue
    for (const row of rows) inserts[kind].run(dataset, value, row)
  }
}

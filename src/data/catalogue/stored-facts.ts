/** The genres and tags of a dataset in tables, for filters. */
import type { Database } from '../../base/util/sqlite.js'
import { byBytes } from '../../base/text/byte-order.js'
import type { FactList } from './fact-lists.js'

/** @param dataset its number */
export function writeFacts(database: Database, dataset: number, lists: readonly FactList[]): void {
  const inserts = {
    genre: database.prepare('INSERT INTO genres SELECT ?, ?, value FROM json_each(?)'),
    tag: database.prepare('INSERT INTO tags SELECT ?, ?, value FROM json_each(?)'),
  }
  // In the order of the tables, which are written from their beginnings to their ends then.
  for (const { kind, value, rows } of lists.toSorted((one, other) =>
    byBytes(one.value, other.value),
  )) {
    if (kind === 'genre' || kind === 'tag') inserts[kind].run(dataset, value, `[${rows.join()}]`)
  }
}

/** Rows of a dataset by the lists of facts that its file keeps. */
import type { Database } from '../../base/util/sqlite.js'
import type { FactKind } from './fact-lists.js'
import { unpackRows } from './packed-numbers.js'

/** Returns the rows that have at least one of the values of that kind, in any case. */
export type RowsListed = (
  dataset: number,
  kind: FactKind,
  values: readonly string[],
) => readonly number[]

export function prepareRowsListed(database: Database): RowsListed {
  const valuesOf = database
    .prepare<[number, string], string>(
      'SELECT value FROM fact_lists WHERE dataset = ? AND kind = ?',
    )
    .pluck()
  const rowsOf = database
    .prepare<[number, string, string], Buffer>(
      'SELECT rows FROM fact_lists WHERE dataset = ? AND kind = ? AND value = ?',
    )
    .pluck()
  return (dataset, kind, values) => {
    // SQLite knows the cases of ASCII letters alone.
    const requested = new Set(values.map((value) => value.toLowerCase()))
    return valuesOf
      .all(dataset, kind)
      .filter((value) => requested.has(value.toLowerCase()))
      .flatMap((value) => [...unpackRows(rowsOf.get(dataset, kind, value) ?? Buffer.of())])
  }
}

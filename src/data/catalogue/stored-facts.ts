/** The facts of a dataset as its file keeps them, made by the import and read as they are. Characters are in the index of rows. */
import type { Database } from '../../base/util/sqlite.js'
import { CatalogueError } from '../../base/errors/index.js'
import type { DatasetInfo } from './dataset.js'
import { measureNames, measuresOf, type FactKind, type FactLists } from './fact-lists.js'
import { packNumbers, unpackFloats, unpackRows } from './packed-numbers.js'
import { datasetNumber } from './schema.js'

/** @param dataset its number */
export function writeFacts(
  database: Database,
  dataset: number,
  { lists, measures }: FactLists,
): void {
  const insertList = database.prepare('INSERT INTO fact_lists VALUES (?, ?, ?, ?, ?)')
  const inserts = {
    genre: database.prepare('INSERT INTO genres VALUES (?, ?, ?)'),
    tag: database.prepare('INSERT INTO tags VALUES (?, ?, ?)'),
  }
  for (const { kind, value, rows, weights } of lists) {
    if (kind === 'character') continue
    insertList.run(dataset, kind, value, packNumbers(rows), weights && Buffer.from(weights))
    if (kind !== 'genre' && kind !== 'tag') continue
    for (const row of rows) inserts[kind].run(dataset, value, row)
  }
  const insertMeasure = database.prepare('INSERT INTO measures VALUES (?, ?, ?)')
  for (const name of measureNames) insertMeasure.run(dataset, name, packNumbers(measures[name]))
}

interface ListRecord {
  readonly kind: FactKind
  readonly value: string
  readonly rows: Buffer
  readonly weights: Buffer | null
}

/** Catalogues of earlier imports lack them. */
const laterMeasures: ReadonlySet<string> = new Set(['minutes', 'chapters'])

export function readFactLists(
  file: string,
  database: Database,
  { name, rows: rowCount }: DatasetInfo,
): FactLists {
  const dataset = datasetNumber(name)
  const lists = database
    .prepare<[number], ListRecord>(
      // Of an earlier import, hundreds of thousands of characters would be among them.
      `SELECT iif(kind = 'place', 'relation', kind) AS kind, value, rows, weights
       FROM fact_lists WHERE dataset = ? AND kind <> 'character'`,
    )
    .all(dataset)
    .map(({ kind, value, rows, weights }) => ({ kind, value, rows: unpackRows(rows), weights }))
  const measureAt = database
    .prepare<[number, string], Buffer>(
      'SELECT "values" FROM measures WHERE dataset = ? AND measure = ?',
    )
    .pluck()
  const measures = measuresOf((measure) => {
    const stored = measureAt.get(dataset, measure)
    if (stored === undefined && laterMeasures.has(measure))
      return new Float32Array(rowCount).fill(NaN)
    const values = unpackFloats(stored ?? Buffer.of())
    if (values.length === rowCount) return values
    const problem = `expected the ${measure} of ${rowCount} entries, found ${values.length}`
    throw new CatalogueError('corrupt', file, problem)
  })
  return { rowCount, lists, measures }
}

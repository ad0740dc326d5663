/** The facts and titles of a dataset as its file keeps them, made by the import and read as they are. */
import type { Database } from '../util/sqlite.js'
import { CatalogueError, TitleIndexError } from '../errors/index.js'
import { openTitleIndex, type TitleIndex } from '../titles/title-index.js'
import type { Title } from '../titles/title.js'
import type { CatalogueRow } from './catalogue-row.js'
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
    insertList.run(dataset, kind, value, packNumbers(rows), weights && Buffer.from(weights))
    if (kind !== 'genre' && kind !== 'tag') continue
    for (const row of rows) inserts[kind].run(dataset, value, row)
  }
  const insertMeasure = database.prepare('INSERT INTO measures VALUES (?, ?, ?)')
  for (const name of measureNames) insertMeasure.run(dataset, name, packNumbers(measures[name]))
}

export function writeTitleIndex(database: Database, dataset: number, index: TitleIndex): void {
  const { buffer, byteOffset, byteLength } = index.toBytes()
  database
    .prepare('INSERT INTO title_indexes VALUES (?, ?)')
    .run(dataset, Buffer.from(buffer, byteOffset, byteLength))
}

/** All titles of an entry, the main one first. */
export function titlesOf({ title, metadata, facts }: CatalogueRow, row: number): Title[] {
  const others = facts?.otherTitles ?? []
  const texts = [
    { text: metadata.titleEnglish, kind: 'english' as const },
    { text: metadata.titleJapanese, kind: 'native' as const },
    ...others.map((text) => ({ text, kind: 'other' as const })),
  ]
  return [
    { row, text: title, kind: 'main' },
    ...texts.flatMap(({ text, kind }) => (typeof text === 'string' ? [{ row, text, kind }] : [])),
  ]
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
      'SELECT kind, value, rows, weights FROM fact_lists WHERE dataset = ?',
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

export function readTitleIndex(
  file: string,
  database: Database,
  { name }: DatasetInfo,
): TitleIndex {
  const bytes = database
    .prepare<[number], Buffer>('SELECT bytes FROM title_indexes WHERE dataset = ?')
    .pluck()
    .get(datasetNumber(name))
  if (bytes === undefined) {
    throw new CatalogueError('corrupt', file, `the index of ${name} titles is missing`)
  }
  try {
    return openTitleIndex(bytes)
  } catch (cause) {
    if (!(cause instanceof TitleIndexError)) throw cause
    const code = cause.code === 'version' ? 'version' : 'corrupt'
    throw new CatalogueError(code, file, `the index of ${name} titles: ${cause.problem}`, { cause })
  }
}

/** The first rows of a file as flat objects, and how the file is written. */
import { CsvError, parse } from 'csv-parse/sync'
import { DataImportError } from '../../../base/errors/index.js'
import { readHead } from '../compressed-file.js'
import { delimiterOf } from '../delimiter.js'
import { guessEncoding, sniffedBytes } from '../guess-encoding.js'
import { parseObject } from '../jsonl-rows.js'
import { firstMembers, listPaths, listsAt } from '../known/json-objects.js'
import { faultOf } from '../csv-rows.js'
import type { NumberedRow } from '../raw-rows.js'
import { parquetHead, readParquetRows } from './parquet-rows.js'
import { readSpreadsheetRows, spreadsheetHeader } from './spreadsheet-rows.js'
import { readSqliteRows, sqliteHead } from './sqlite-rows.js'
import { formatOf, type TableFormat } from './table-format.js'

export type FlatRow = Readonly<Record<string, unknown>>

export interface TableSample {
  readonly format: TableFormat
  readonly encoding: string
  /** What separates the fields of a CSV file. */
  readonly delimiter?: string
  /** As in a mapping; absent where the format needs none. */
  readonly table?: string
  readonly header: readonly string[]
  readonly rows: readonly FlatRow[]
  /** The notes of a Parquet file. */
  readonly about?: Readonly<Record<string, string>>
}

const sampledRows = 200

/**
 * The samples that a file may be read as, the likeliest first: several for a JSON document with several lists.
 * @throws DataImportError where the file cannot be read
 */
export async function sampleTable(file: string): Promise<readonly TableSample[]> {
  const bytes = await readHead(file, sniffedBytes)
  const format = await formatOf(file, bytes)
  const encoding = guessEncoding(bytes)
  const textOf = () =>
    new TextDecoder(encoding).decode(bytes, { stream: true }).replace(/^\ufeff/, '')
  switch (format) {
    case 'csv':
      return [{ format, encoding, ...csvSample(file, textOf()) }]
    case 'jsonl': {
      const lines = textOf().split('\n').slice(0, sampledRows)
      const objects = lines.map(parseObject).filter((object) => object !== undefined)
      return [{ format, encoding, ...objectSample(objects) }]
    }
    case 'json':
      return documentSamples(textOf()).map((sample) => ({ format, encoding, ...sample }))
    case 'xlsx':
    case 'ods': {
      const header = await spreadsheetHeader(file, format, undefined)
      const rows = readSpreadsheetRows(file, format, undefined, () => undefined)
      return [{ format, encoding, header, rows: await firstRows(rows, header) }]
    }
    case 'parquet': {
      const { columns, about } = await parquetHead(file)
      const rows = await firstRows(
        readParquetRows(file, () => undefined),
        columns,
      )
      return [{ format, encoding, about, ...objectSample(rows) }]
    }
    case 'sqlite': {
      const { table, columns } = sqliteHead(file)
      const rows = readSqliteRows(file, table, () => undefined)
      return [{ format, encoding, table, ...objectSample(await firstRows(rows, columns)) }]
    }
  }
}

async function firstRows(
  rows: AsyncIterable<NumberedRow> | Iterable<NumberedRow>,
  header: readonly string[],
): Promise<FlatRow[]> {
  const sample: FlatRow[] = []
  for await (const raw of rows) {
    if ('row' in raw) sample.push(Object.fromEntries(header.map((name) => [name, raw.row(name)])))
    if (sample.length === sampledRows) break
  }
  return sample
}

function csvSample(file: string, text: string) {
  const whole = text.replaceAll(/\r\n?/g, '\n')
  const delimiter = delimiterOf(whole)
  try {
    const records: string[][] = parse(whole, {
      delimiter,
      to: sampledRows + 1,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      // The last row may be cut anywhere, in quotes too.
      skip_records_with_error: true,
    })
    const [names = [], ...rows] = records
    const header = names.map((name) => name.trim())
    return {
      delimiter,
      // A column without a name holds row numbers.
      header: [...new Set(header.filter((name) => name !== ''))],
      rows: rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? '']))),
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    throw new DataImportError(file, `is not CSV: ${faultOf(cause)}`, { cause })
  }
}

function objectSample(objects: readonly object[]) {
  const rows = objects.map((object) => flat(object))
  return { header: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows }
}

/** Lists of objects, those with most members a row first: a list of genres inside of rows has few. */
function documentSamples(text: string) {
  return listPaths(text)
    .map((table) => {
      const objects = firstMembers(text, listsAt(table)).slice(0, sampledRows)
      return { ...objectSample(objects), ...(table !== '' && { table }) }
    })
    .filter(({ rows }) => rows.length > 0)
    .toSorted((one, other) => widthOf(other) - widthOf(one))
}

const widthOf = ({ header }: { readonly header: readonly string[] }) => header.length

/** Objects that are nested deeper are of no use as fields. */
const maxDepth = 4

/** Members of objects inside under their paths: `title.romaji`. Lists stay as they are. */
function flat(object: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && depth < maxDepth
        ? Object.entries(flat(value, depth + 1)).map(([inner, one]) => [`${name}.${inner}`, one])
        : [[name, value]],
    ),
  )
}

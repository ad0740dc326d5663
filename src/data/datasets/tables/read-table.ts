/** Opens the rows of a file in any of the formats. */
import { readCsvRows } from '../csv-rows.js'
import { readJsonlRows, valueAt } from '../jsonl-rows.js'
import { listsAt, readDocumentObjects } from '../known/json-objects.js'
import type { NumberedRow } from '../raw-rows.js'
import { readTextFile } from '../text-file.js'
import { readParquetRows } from './parquet-rows.js'
import { readSpreadsheetRows } from './spreadsheet-rows.js'
import { readSqliteRows } from './sqlite-rows.js'
import type { TableFormat } from './table-format.js'

export interface TableOptions {
  readonly format: TableFormat
  readonly encoding: string
  /** Name of the sheet, of the table of a database, or path of the lists in a JSON document. */
  readonly table?: string | undefined
  /** Fields that the file must have. */
  readonly names: readonly string[]
}

/**
 * @param onBytes called with the size of each piece that was read
 * @throws DataImportError when the file is not in this format, or lacks a field
 */
export function readTable(
  file: string,
  { format, encoding, table, names }: TableOptions,
  onBytes: (bytes: number) => void,
): AsyncIterable<NumberedRow> | Iterable<NumberedRow> {
  switch (format) {
    case 'csv':
      return readCsvRows(file, readTextFile(file, encoding, onBytes), names)
    case 'jsonl':
      return readJsonlRows(file, readTextFile(file, encoding, onBytes), names)
    case 'json':
      return documentRows(file, readTextFile(file, encoding, onBytes), table ?? '')
    case 'xlsx':
    case 'ods':
      return readSpreadsheetRows(file, format, table, onBytes)
    case 'parquet':
      return readParquetRows(file, onBytes)
    case 'sqlite':
      return readSqliteRows(file, table, onBytes)
  }
}

async function* documentRows(
  file: string,
  text: AsyncIterable<string>,
  list: string,
): AsyncGenerator<NumberedRow> {
  for await (const { line, object } of readDocumentObjects(file, text, listsAt(list))) {
    if (object === undefined) yield { line, problem: 'broken JSON' }
    else yield { line, row: (name) => valueAt(object, name) }
  }
}

/** Rows of a sheet of an Excel or OpenDocument file, streamed. Its first row that is not empty is the header. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { DataImportError } from '../../../base/errors/index.js'
import type { NumberedRow } from '../raw-rows.js'
import { plainValue } from './plain-value.js'

/**
 * @param sheet its name; the first sheet if absent
 * @param onBytes called with the bytes of each piece that was read
 * @throws DataImportError when the file cannot be read, or has no rows
 */
export async function* readSpreadsheetRows(
  file: string,
  format: 'xlsx' | 'ods',
  sheet: string | undefined,
  onBytes: (bytes: number) => void,
): AsyncGenerator<NumberedRow> {
  let header: ReadonlyMap<string, number> | undefined
  try {
    for await (const { index, values } of await openRows(file, format, sheet, onBytes)) {
      if (values.every((value) => value === null || value === '')) continue
      if (header === undefined) {
        header = headerOf(values)
        continue
      }
      const positions = header
      yield { line: index + 1, row: (name) => plainValue(values[positions.get(name) ?? -1]) }
    }
  } catch (cause) {
    if (cause instanceof DataImportError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DataImportError(file, `is a damaged spreadsheet: ${reason}`, { cause })
  }
  if (header === undefined) throw new DataImportError(file, 'expected a header row; found no rows')
}

/** Names of the columns; where one is repeated, the first counts. */
export async function spreadsheetHeader(
  file: string,
  format: 'xlsx' | 'ods',
  sheet: string | undefined,
): Promise<readonly string[]> {
  for await (const { values } of await openRows(file, format, sheet, () => undefined))
    if (values.some((value) => value !== null && value !== '')) return [...headerOf(values).keys()]
  return []
}

async function openRows(
  file: string,
  format: 'xlsx' | 'ods',
  sheet: string | undefined,
  onBytes: (bytes: number) => void,
) {
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  source.on('data', (piece) => onBytes(piece.length))
  const input = Readable.toWeb(source) as ReadableStream<Uint8Array>
  if (format === 'xlsx') {
    const { streamXlsxRows } = await import('hucre/xlsx')
    return streamXlsxRows(input, { sheet: sheet ?? 0 })
  }
  const { streamOdsRows } = await import('hucre/ods')
  return streamOdsRows(input, { sheets: [sheet ?? 0] })
}

function headerOf(values: readonly unknown[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>()
  for (const [position, value] of values.entries()) {
    const name = nameOf(plainValue(value))
    if (name !== '' && !positions.has(name)) positions.set(name, position)
  }
  return positions
}

const nameOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

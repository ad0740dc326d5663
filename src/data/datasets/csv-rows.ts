/** Rows of a CSV file: RFC 4180 with commas, semicolons, tabs or bars, any line end, quotes and line ends inside fields. */
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse, type Info } from 'csv-parse'
import { DataImportError } from '../../base/errors/index.js'
import { delimiterOf } from './delimiter.js'
import { foundNames } from './found-names.js'
import { listNames, maximumRowCharacters, type NumberedRow } from './raw-rows.js'

/**
 * @param names fields that the header must have
 * @throws DataImportError when the file is not CSV or its header lacks a name
 */
export async function* readCsvRows(
  path: string,
  text: AsyncIterable<string>,
  names: readonly string[],
): AsyncGenerator<NumberedRow> {
  const { begin, whole } = await peek(text)
  const parser = parse({
    delimiter: delimiterOf(begin, names),
    info: true,
    skip_empty_lines: true,
    // A row of another length is reported with its line; the import goes on.
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maximumRowCharacters,
  })
  pipeline(Readable.from(whole), parser, () => undefined)
  let header: ReadonlyMap<string, number> | undefined
  let width = 0
  let lastLine = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: Info
    }>) {
      const line = firstLine(record, info, lastLine)
      lastLine = info.lines
      if (header === undefined) {
        header = readHeader(path, record, names)
        width = record.length
      } else if (record.length !== width) {
        const more = record.length > width ? 'more' : 'fewer'
        yield { line, problem: `${more} fields than the header` }
      } else {
        const positions = header
        yield { line, row: (name) => record[positions.get(name) ?? -1] }
      }
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    const problem = `is not CSV from line ${lastLine + 1} on: ${faultOf(cause)}`
    throw new DataImportError(path, problem, { cause })
  }
  if (header === undefined)
    throw new DataImportError(path, 'expected a header line; the file is empty')
}

/** Without what the parser quotes of the file. */
export const faultOf = ({ message }: CsvError): string =>
  message.replace(/(, value is|: got) .*$/s, '')

/** Reads the first piece, and returns the text with it. */
async function peek(text: AsyncIterable<string>) {
  const pieces = text[Symbol.asyncIterator]()
  let begin = ''
  for (let next = await pieces.next(); ; next = await pieces.next()) {
    begin += next.done === true ? '' : next.value
    if (next.done === true || begin.trim() !== '') break
  }
  async function* whole() {
    yield begin
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      yield next.value
    }
  }
  return { begin, whole: whole() }
}

/** The parser reports the last line of a row. Empty lines may precede its first line. */
function firstLine(record: readonly string[], info: Info, lastLine: number): number {
  const inner = record.reduce((lines, field) => lines + field.split('\n').length - 1, 0)
  return Math.max(info.lines - inner, lastLine + 1)
}

function readHeader(
  path: string,
  record: readonly string[],
  names: readonly string[],
): ReadonlyMap<string, number> {
  const header = record.map((name) => name.trim())
  const missing = names.filter((name) => !header.includes(name))
  const found = foundNames(header)
  if (missing.length > 0) {
    const problem = `the header has no ${listNames(missing)}, which the mapping names`
    throw new DataImportError(path, `${problem}; found ${found}`)
  }
  const repeated = names.filter((name) => header.indexOf(name) !== header.lastIndexOf(name))
  if (repeated.length > 0) {
    throw new DataImportError(path, `the header has ${listNames(repeated)} more than once`)
  }
  return new Map(header.map((name, position) => [name, position]))
}

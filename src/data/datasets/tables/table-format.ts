/** How the rows of a file are written, found from its first bytes; the name of the file does not matter. */
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { open as openZipFile, type ZipFile } from 'yauzl'
import { DataImportError } from '../../../base/errors/index.js'
import { readHead } from '../compressed-file.js'
import { packedHead } from '../known/packed-file.js'

export const tableFormats = ['csv', 'jsonl', 'json', 'xlsx', 'ods', 'parquet', 'sqlite'] as const
export type TableFormat = (typeof tableFormats)[number]

export const headBytes = 256 * 1024
const supportedFormats =
  'CSV, TSV, JSON, JSON lines, Excel (.xlsx), OpenDocument (.ods), Parquet or SQLite'

export const isDatabase = (bytes: Buffer) =>
  bytes.subarray(0, 16).toString('latin1') === 'SQLite format 3\0'

/**
 * @param head the first bytes of the file, unpacked
 * @throws DataImportError for a file that holds no rows, with the type that it has
 */
export async function formatOf(file: string, head?: Buffer): Promise<TableFormat> {
  const bytes = head ?? (await readHead(file, headBytes))
  if (isDatabase(bytes)) return 'sqlite'
  if (bytes.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet'
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return formatOfZip(file)
  if (isBinary(bytes)) return refuse(file, await typeOf(bytes))
  const text = textOf(bytes)
  if (text.trim() === '') throw new DataImportError(file, 'is empty')
  if (/^\s*\[/.test(text)) return 'json'
  if (/^\s*\{/.test(text)) return isOneDocument(text) ? 'json' : 'jsonl'
  if (/^\s*<(?:!doctype html|html)/i.test(text)) return refuse(file, 'a web page (HTML)')
  if (/^\s*<\?xml|^\s*<[a-z]+>/i.test(text)) return refuse(file, 'an XML document')
  if (text.startsWith('%PDF-')) return refuse(file, 'a PDF document')
  return 'csv'
}

/** A line that is not whole JSON is the begin of a document over several lines; so is one line with a list inside. */
function isOneDocument(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const [first = '', second] = lines
  if (!isJson(first)) return true
  if (second !== undefined) return false
  return Object.values(JSON.parse(first) as object).some(isHolder)
}

/** Whether a list of objects is somewhere inside, as answers of an API have it. */
function holdsObjects(value: object): boolean {
  if (Array.isArray(value))
    return (value.length > 1 && value.every(isObjectWithText)) || value.some(isHolder)
  return Object.values(value).some(isHolder)
}

const isHolder = (one: unknown) => typeof one === 'object' && one !== null && holdsObjects(one)

/** Names and ids, such as those of genres, are shorter than a work. */
const isObjectWithText = (one: unknown) =>
  typeof one === 'object' && one !== null && JSON.stringify(one).length > 120

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

/** UTF-16 has zero bytes, too, but begins with its mark. */
function isBinary(bytes: Buffer): boolean {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return false
  return bytes.includes(0)
}

function textOf(bytes: Buffer): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(encoding).decode(bytes, { stream: true }).replace(/^\ufeff/, '')
}

const openArchive = promisify(openZipFile as OpenZip)
type OpenZip = (
  path: string,
  options: { lazyEntries: boolean },
  callback: (error: Error | null, zip: ZipFile) => void,
) => void

async function formatOfZip(file: string): Promise<TableFormat> {
  const names = await namesInZip(file)
  if (names.includes('xl/workbook.xml')) return 'xlsx'
  if (names.includes('content.xml') && names.includes('mimetype')) return 'ods'
  if (names.includes('xl/workbook.bin'))
    return refuse(file, 'a binary Excel file (.xlsb)', 'save it as .xlsx')
  if (names.includes('word/document.xml')) return refuse(file, 'a Word document')
  const inside = names.slice(0, 3).map((name) => JSON.stringify(basename(name)))
  return refuse(file, `a zip archive of ${inside.join(', ')}`, 'unpack it and import that file')
}

async function namesInZip(file: string): Promise<readonly string[]> {
  try {
    const zip = await openArchive(file, { lazyEntries: false })
    const names: string[] = []
    return await new Promise((resolve, reject) => {
      zip.on('entry', ({ fileName }: { fileName: string }) => names.push(fileName))
      zip.on('end', () => resolve(names))
      zip.on('error', reject)
    })
  } catch (cause) {
    throw new DataImportError(file, 'is a damaged zip archive; fetch it again', { cause })
  }
}

/** The name of a binary file's type. */
async function typeOf(bytes: Buffer): Promise<string> {
  if (packedHead(bytes) !== undefined) return 'a tar archive'
  if (bytes.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1')
    return 'an old Office file, such as .xls'
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes)
  return found === undefined ? 'a binary file of unknown type' : `a file of type ${found.mime}`
}

function refuse(file: string, found: string, remedy?: string): never {
  const instead = remedy ?? (/\.xls$|old Office/.test(found) ? 'save it as .xlsx' : undefined)
  const nearest = instead === undefined ? '' : `; ${instead}`
  throw new DataImportError(file, `is ${found}; expected ${supportedFormats}${nearest}`)
}

/** Public data sets that are known by what is in their files, so that no mapping has to be written for them. */
import { basename } from 'node:path'
import { DataImportError } from '../../errors/index.js'
import { shellWord } from '../../util/runnable.js'
import { readHead } from '../compressed-file.js'
import type { Input } from '../input.js'
import { parseObject } from '../jsonl-rows.js'
import * as animeOfflineDatabase from './anime-offline-database.js'
import { recognizeCsv } from './recognize-csv.js'
import { recognizeJson } from './recognize-json.js'
import * as mangaBaka from './mangabaka.js'
import { packedHead } from './packed-file.js'
import { publicMapping } from './public-mapping.js'

const knownSets = [
  ...[animeOfflineDatabase, mangaBaka].map(({ origin }) => origin.name),
  'CSV files with the columns of MyAnimeList',
].join(', ')

const headBytes = 256 * 1024
const sqliteMagic = 'SQLite format 3\0'
const isDatabase = (bytes: Buffer) => bytes.subarray(0, 16).toString('latin1') === sqliteMagic

/**
 * Returns undefined for what may be a mapping.
 * @throws DataImportError for a file that is nearly known, with what it lacks
 */
export async function recognize(file: string): Promise<Input | undefined> {
  const head = await readHead(file, headBytes)
  const packed = packedHead(head)
  if (packed !== undefined && !isDatabase(packed.head)) {
    const problem = `is an archive of ${JSON.stringify(basename(packed.name))}`
    const remedy = `unpack it with \`tar -xf ${shellWord(file)}\` and import that file`
    throw new DataImportError(file, `${problem}; ${remedy}`)
  }
  if (packed !== undefined || isDatabase(head)) {
    const mapping = await publicMapping('mangabaka')
    const rows = mangaBaka.rowsOfDatabase(file, packed !== undefined)
    return { file, mapping, rows, origin: mangaBaka.origin }
  }
  const text = new TextDecoder().decode(head).replace(/^\ufeff/, '')
  requireNoList(file, text)
  const input = await (/^\s*[[{]/.test(text) ? recognizeJson(file, text) : recognizeCsv(file, text))
  const mayBeMapping = /\.json$/i.test(file) || parseObject(text) !== undefined
  if (input !== undefined || mayBeMapping) return input
  const problem = 'is neither a mapping nor a data set that needs none'
  throw new DataImportError(
    file,
    `${problem} (${knownSets}); \`synoptic data init ${shellWord(file)}\` writes a mapping for it`,
  )
}

/** @throws DataImportError */
function requireNoList(file: string, text: string): void {
  const isXml = /^\s*</.test(text)
  const isList = isXml
    ? /<myanimelist>/i.test(text)
    : ['"MediaListCollection"', '"series_type"'].some((member) => text.includes(member))
  if (!isList) return
  const problem = "is a person's list, not a catalogue"
  const remedy = `\`synoptic serve --lists-file ${shellWord(file)}\` uses it for "exclude listed"`
  throw new DataImportError(file, `${problem}; ${remedy}`)
}

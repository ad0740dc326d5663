/** Data sets that are known by what is in their files, so that no mapping has to be written for them. */
import { basename } from 'node:path'
import { DataImportError } from '../../../base/errors/index.js'
import { shellWord } from '../../../base/util/runnable.js'
import { readHead } from '../compressed-file.js'
import { guessMapping, parsedMapping } from '../guess-mapping.js'
import type { Input } from '../input.js'
import { parseObject } from '../jsonl-rows.js'
import { parquetHead, readParquetRows } from '../tables/parquet-rows.js'
import { sqliteHead } from '../tables/sqlite-rows.js'
import { formatOf, headBytes, isDatabase } from '../tables/table-format.js'
import { recognizeCsv } from './recognize-csv.js'
import { recognizeJson } from './recognize-json.js'
import * as mangaBaka from './mangabaka.js'
import { recognizeExport } from './own-export.js'
import { packedHead } from './packed-file.js'
import { publicMapping } from './public-mapping.js'

/**
 * Returns undefined for a mapping.
 * @throws DataImportError for a file that cannot be read, or that is nearly known, with what it lacks
 */
export async function recognize(file: string): Promise<Input | undefined> {
  const head = await readHead(file, headBytes)
  const packed = packedHead(head)
  if (packed !== undefined) return recognizePacked(file, packed)
  const text = new TextDecoder().decode(head).replace(/^\ufeff/, '')
  requireNoList(file, text)
  const format = await formatOf(file, head)
  if (format === 'sqlite') return recognizeDatabase(file)
  if (format === 'parquet') return (await parquetExport(file)) ?? guessed(file)
  if (format === 'xlsx' || format === 'ods') return guessed(file)
  if (isMapping(text)) return undefined
  if (format === 'csv') return (await recognizeCsv(file, text)) ?? guessed(file)
  return (
    (format === 'jsonl' ? recognizeExport(file, format, objectsIn(text)) : undefined) ??
    (await recognizeJson(file, text)) ??
    guessed(file)
  )
}

async function recognizePacked(
  file: string,
  packed: { readonly name: string; readonly head: Buffer },
): Promise<Input> {
  if (isDatabase(packed.head)) return mangaBakaDatabase(file, true)
  const problem = `is an archive of ${JSON.stringify(basename(packed.name))}`
  const remedy = `unpack it with \`tar -xf ${shellWord(file)}\` and import that file`
  throw new DataImportError(file, `${problem}; ${remedy}`)
}

async function recognizeDatabase(file: string): Promise<Input> {
  const { table } = sqliteHead(file)
  return table === mangaBaka.table ? mangaBakaDatabase(file, false) : guessed(file)
}

async function mangaBakaDatabase(file: string, isPacked: boolean): Promise<Input> {
  const mapping = await publicMapping('mangabaka')
  const rows = mangaBaka.rowsOfDatabase(file, isPacked)
  return { file, mapping, rows, origin: mangaBaka.origin }
}

async function parquetExport(file: string): Promise<Input | undefined> {
  const { columns, about } = await parquetHead(file)
  for await (const raw of readParquetRows(file, () => undefined)) {
    if (!('row' in raw)) return undefined
    const first = Object.fromEntries(columns.map((name) => [name, raw.row(name)]))
    return recognizeExport(file, 'parquet', [first], about.dataset)
  }
  return undefined
}

/** What fits best by names and values; the report of the import says so. */
async function guessed(file: string): Promise<Input> {
  const { mapping, isDatasetCertain } = await guessMapping(file)
  if (!isDatasetCertain) {
    const problem = 'does not say whether it holds anime or manga'
    const remedy = `\`synoptic data init ${shellWord(file)} --dataset manga\` writes a mapping for it`
    throw new DataImportError(file, `${problem}; ${remedy}`)
  }
  return { file, mapping: parsedMapping(mapping), isGuess: true }
}

/** A mapping is one object with these members; one that is broken is reported as a mapping, too. */
function isMapping(text: string): boolean {
  const object = parseObject(text)
  if (object !== undefined) return 'fields' in object || ('dataset' in object && 'file' in object)
  const [first = ''] = text.split('\n')
  const isBroken = parseObject(first) === undefined && text.length < headBytes / 4
  return isBroken && /^\s*\{/.test(text) && /"fields"\s*:/.test(text)
}

const objectsIn = (text: string) =>
  text
    .split('\n')
    .slice(0, 50)
    .map(parseObject)
    .filter((object) => object !== undefined)

/** @throws DataImportError */
function requireNoList(file: string, text: string): void {
  const isXml = /^\s*</.test(text)
  const isList = isXml
    ? /<myanimelist>/i.test(text)
    : ['"MediaListCollection"', '"series_type"'].some((member) => text.includes(member)) &&
      !/"(?:description|synopsis)"\s*:\s*"/.test(text)
  if (!isList) return
  const problem = "is a person's list, not a catalogue"
  const remedy = `\`synoptic serve --lists-file ${shellWord(file)}\` uses it for "exclude listed"`
  throw new DataImportError(file, `${problem}; ${remedy}`)
}

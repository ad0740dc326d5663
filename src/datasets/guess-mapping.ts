/** A mapping for a file that somebody brings: guessed from its name, its first bytes, its fields and its values. */
import { basename, extname } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { DatasetName } from '../catalogue/catalogue.js'
import { DataImportError } from '../errors/index.js'
import { shellWord } from '../util/runnable.js'
import { readHead } from './compressed-file.js'
import { delimiterOf } from './delimiter.js'
import { guessEncoding, sniffedBytes } from './guess-encoding.js'
import { guessFields, type GuessedFields } from './guess-fields.js'
import { requireRegular } from './regular-file.js'
import { systemReason } from '../util/system-reason.js'

export interface GuessedMapping {
  /** As a mapping file holds it. */
  readonly mapping: Readonly<Record<string, unknown>>
  readonly encoding: string
  /** Null for JSON lines. */
  readonly delimiter: string | null
  readonly header: readonly string[]
  /** The first row by field. */
  readonly sample: Readonly<Record<string, unknown>>
  /** Fields that no member of the mapping reads. */
  readonly unused: readonly string[]
}

const sampledRows = 200

/** Rejects with a DataImportError where the file cannot be read, or has no titles or texts. */
export async function guessMapping(file: string, dataset?: DatasetName): Promise<GuessedMapping> {
  const bytes = await readBegin(file)
  const encoding = guessEncoding(bytes)
  const text = new TextDecoder(encoding).decode(bytes, { stream: true })
  const isJsonl = /^\s*\{/.test(text) || /\.(?:jsonl|ndjson)$/i.test(file)
  if (/^\s*\[/.test(text)) {
    const lines = shellWord(`${withoutEnding(file)}.jsonl`)
    const unpack = unpackers.get(extname(file))
    const data = shellWord(file)
    const toLines = unpack === undefined ? `jq -c .[] ${data}` : `${unpack} ${data} | jq -c .[]`
    const command = `${toLines} >${lines}`
    throw new DataImportError(
      file,
      `is one JSON list; expected JSON lines, one object a line, as \`${command}\` writes them`,
    )
  }
  const delimiter = isJsonl ? null : delimiterOf(text)
  const rows = delimiter === null ? jsonRows(text) : csvRows(file, text, delimiter)
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const guessed = guessFields(header, rows)
  requireUsable(file, header, guessed)
  const { fields, metadata, texts, isManga } = guessed
  const mapping = {
    dataset: dataset ?? (isManga || /manga/i.test(basename(file)) ? 'manga' : 'anime'),
    file: basename(file),
    format: isJsonl ? 'jsonl' : 'csv',
    ...(encoding !== 'utf-8' && { encoding }),
    fields,
    ...(Object.keys(metadata).length > 0 && { metadata }),
    texts,
  }
  return {
    mapping,
    encoding,
    delimiter,
    header,
    sample: rows[0] ?? {},
    unused: header.filter((name) => !guessed.used.has(name)),
  }
}

/** The mapping's file beside the data: `mine.csv` gets `mine.json`, and `mine.json` gets `mine.mapping.json`. */
export const mappingFileOf = (file: string): string =>
  `${withoutEnding(file)}${/\.json$/i.test(file) ? '.mapping' : ''}.json`

const withoutEnding = (file: string) => file.slice(0, file.length - extname(file).length)

const unpackers: ReadonlyMap<string, string> = new Map([
  ['.gz', 'gzip -dc'],
  ['.zst', 'zstd -dc'],
])

/** Unpacked. */
async function readBegin(file: string): Promise<Uint8Array> {
  try {
    requireRegular(file)
  } catch (cause) {
    if (cause instanceof DataImportError) throw cause
    throw new DataImportError(file, `cannot be read: ${systemReason(cause)}`, { cause })
  }
  return readHead(file, sniffedBytes)
}

function csvRows(file: string, text: string, delimiter: string): Record<string, unknown>[] {
  const whole = text.replaceAll(/\r\n?/g, '\n')
  try {
    const records: string[][] = parse(whole, {
      delimiter,
      to: sampledRows + 1,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    })
    const [header = [], ...rows] = records
    return rows.map((row) =>
      Object.fromEntries(header.map((name, at) => [name.trim(), row[at] ?? ''])),
    )
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DataImportError(file, `is not CSV: ${reason}`, { cause })
  }
}

function jsonRows(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .slice(0, sampledRows)
    .flatMap((line) => {
      try {
        const row: unknown = JSON.parse(line)
        return typeof row === 'object' && row !== null ? [{ ...row }] : []
      } catch {
        return []
      }
    })
}

const byHand = 'write a mapping by hand, as docs/mapping.md shows'

function requireUsable(file: string, header: readonly string[], guessed: GuessedFields): void {
  const found = header
    .slice(0, 40)
    .map((name) => JSON.stringify(name.slice(0, 60)))
    .join(', ')
  if (header.length === 0) throw new DataImportError(file, 'has no row below its header')
  if (guessed.fields.title === undefined)
    throw new DataImportError(
      file,
      `has no field that looks like a title; ${byHand}; found ${found}`,
    )
  if (Object.keys(guessed.texts).length === 0)
    throw new DataImportError(
      file,
      `has no field that looks like a synopsis; ${byHand}; found ${found}`,
    )
}

/** Reads one source with its mapping: the rows that can become entries, and a report of the others. */
import { DataImportError } from '../errors/data-import-error.js'
import { readCsvRows } from './csv-rows.js'
import { compileFacts, factFieldNames, type SourceFacts } from './facts.js'
import { compileField, fieldNames, type Field, type RawRow } from './field.js'
import { readJsonlRows } from './jsonl-rows.js'
import type { Mapping } from './mapping.js'
import type { Input } from './input.js'
import { compilePopularity, popularityNames } from './popularity.js'
import { Problems } from './problems.js'
import { readTextFile } from './text-file.js'

export interface SourceRow {
  readonly line: number
  /** Null if the mapping names no id, or if the row of a joined source has none. */
  readonly id: number | null
  readonly title: string
  readonly alternativeTitles: readonly string[]
  readonly type: string | null
  readonly year: number | null
  /** 0 to 10. */
  readonly score: number | null
  /** As the source counts it; a larger number is better known. */
  readonly popularity: number | null
  readonly genres: readonly string[]
  /** Ids of works of the source that belong to its franchise. */
  readonly relatedIds: readonly number[]
  readonly facts: SourceFacts
  readonly metadata: Readonly<Record<string, unknown>>
  /** In the order of the mapping's columns. */
  readonly texts: readonly (string | null)[]
}

/** The result of reading a source. */
export interface Source {
  readonly file: string
  readonly mapping: Mapping
  readonly rowsRead: number
  readonly skipped: Problems
}

/**
 * @param onBytes called with the size of each piece that was read
 * @param onRow called with each valid row, in the order of the file
 * @param scratch a path at which some readers keep a file meanwhile
 * @throws DataImportError when the file cannot be read with the mapping, or no row can be used
 */
export async function readSource(
  { file, mapping, rows }: Input,
  onBytes: (bytes: number) => void,
  onRow: (row: SourceRow) => void,
  scratch = `${file}.unpacked`,
): Promise<Source> {
  const read = compileMapping(mapping)
  const skipped = new Problems()
  const seenIds = new Set<number>()
  let rowsRead = 0
  for await (const raw of rows?.(onBytes, scratch) ?? readRows(file, mapping, onBytes)) {
    rowsRead += 1
    const result = 'problem' in raw ? raw.problem : read(raw.row, raw.line)
    if (typeof result === 'string') skipped.add(result, raw.line)
    else if (result.id !== null && seenIds.has(result.id)) skipped.add('repeated id', raw.line)
    else {
      if (result.id !== null) seenIds.add(result.id)
      onRow(result)
    }
  }
  if (rowsRead === skipped.count) {
    const found = rowsRead === 0 ? 'found none' : `found ${rowsRead}: ${skipped.describe()}`
    throw new DataImportError(file, `expected valid rows, ${found}`)
  }
  return { file, mapping, rowsRead, skipped }
}

function readRows(file: string, mapping: Mapping, onBytes: (bytes: number) => void) {
  const text = readTextFile(file, mapping.encoding, onBytes)
  const read = mapping.format === 'csv' ? readCsvRows : readJsonlRows
  return read(file, text, mappedNames(mapping))
}

/** Returns a function that reads one row. It returns the problem of a row that cannot be used. */
function compileMapping(mapping: Mapping): (row: RawRow, line: number) => SourceRow | string {
  const { fields } = mapping
  const none: Field = { value: '' }
  const readId = compileField(fields.id ?? none, 'integer')
  const readTitle = compileField(fields.title, 'title')
  const readTitles = fields.titles.map((field) => compileField(field, 'title'))
  const readType = compileField(fields.type ?? none, 'type')
  const readYear = compileField(fields.year ?? none, 'year')
  const readScore = compileField(fields.score ?? none, 'score')
  const readPopularity = compilePopularity(fields.popularity)
  const readGenres = compileField(fields.genres ?? none, 'list')
  const readRelated = compileField(fields.related ?? none, 'list')
  const readFacts = compileFacts(fields)
  const readTexts = Object.values(mapping.texts).map((field) => compileField(field, 'synopsis'))
  const readMetadata = Object.entries(mapping.metadata).map(
    ([name, field]) => [name, compileField(field)] as const,
  )
  return (row, line) => {
    const title = textOrNull(readTitle(row))
    if (title === null) return 'no title'
    const id = idOrNull(readId(row))
    if (fields.id !== undefined && mapping.join === undefined && id === null) return 'no usable id'
    return {
      line,
      id,
      title,
      alternativeTitles: readTitles.flatMap((read) => texts(read(row))),
      type: textOrNull(readType(row)),
      year: numberOrNull(readYear(row)),
      score: numberOrNull(readScore(row)),
      popularity: readPopularity(row, line),
      genres: texts(readGenres(row)),
      relatedIds: texts(readRelated(row)).map(Number).filter(Number.isSafeInteger),
      facts: readFacts(row),
      metadata: Object.fromEntries(readMetadata.map(([name, read]) => [name, read(row)])),
      texts: readTexts.map((read) => textOrNull(read(row))),
    }
  }
}

/** Names of the source's fields that a file has to have. */
export function mappedNames({ fields, metadata, texts: columns }: Mapping): readonly string[] {
  const { id, title, titles, type, genres, year, score, related } = fields
  const all = [
    id,
    title,
    ...titles,
    type,
    genres,
    year,
    score,
    related,
    ...Object.values(metadata),
    ...Object.values(columns),
  ]
  const names = all.flatMap((field) => (field === undefined ? [] : fieldNames(field)))
  const others = [...popularityNames(fields.popularity), ...factFieldNames(fields)]
  return [...new Set([...names, ...others])]
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function idOrNull(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? value : null
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function texts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((member) => typeof member === 'string')
  return typeof value === 'string' && value !== '' ? [value] : []
}

/** Reads one source with its mapping: the rows that can become entries, and a report of the others. */
import { integerOfTextId, isTextId } from '../catalogue/text-ids.js'
import { DataImportError } from '../../base/errors/index.js'
import { compileFacts, factFieldNames, type SourceFacts } from './facts.js'
import { compileField, fieldNames, type Field, type FieldContext, type RawRow } from './field.js'
import type { Mapping } from './mapping.js'
import type { Input } from './input.js'
import { compilePopularity, popularityNames } from './popularity.js'
import { Problems } from './problems.js'
import type { NumberedRow } from './raw-rows.js'
import { findSeparators, sampledBytes, sampledRows, type SeparatorOf } from './separators.js'
import { readTable } from './tables/read-table.js'
import { ValueReport } from './value-report.js'

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
  readonly isGuess: boolean
  readonly rowsRead: number
  /** Rows that have a text. */
  readonly withText: number
  readonly skipped: Problems
  /** How lists were split, and values that could not be read. */
  readonly values: ValueReport
}

/**
 * @param onBytes called with the size of each piece that was read
 * @param onRow called with each valid row, in the order of the file
 * @param scratch a path at which some readers keep a file meanwhile
 * @throws DataImportError when the file cannot be read with the mapping, or no row can be used
 */
export async function readSource(
  { file, mapping, rows, isGuess = false }: Input,
  onBytes: (bytes: number) => void,
  onRow: (row: SourceRow) => void,
  scratch = `${file}.unpacked`,
): Promise<Source> {
  let bytesRead = 0
  const countBytes = (bytes: number) => {
    bytesRead += bytes
    onBytes(bytes)
  }
  const values = new ValueReport()
  const skipped = new Problems()
  const seenIds = new Set<number>()
  let rowsRead = 0
  let withText = 0
  const readRow = (raw: NumberedRow, read: ReadRow) => {
    rowsRead += 1
    values.line = raw.line
    const result = 'problem' in raw ? raw.problem : read(raw.row, raw.line)
    if (typeof result === 'string') skipped.add(result, raw.line)
    else if (result.id !== null && seenIds.has(result.id)) skipped.add('repeated id', raw.line)
    else {
      if (result.id !== null) seenIds.add(result.id)
      if (result.texts.some((text) => text !== null)) withText += 1
      onRow(result)
    }
  }
  // The first rows tell how lists are separated, so they wait.
  const sample: NumberedRow[] = []
  let read: ReadRow | undefined
  const readSample = () => {
    const first = sample.flatMap((raw) => ('row' in raw ? raw.row : []))
    const compiled = compileMapping(mapping, values, findSeparators(first))
    for (const raw of sample) readRow(raw, compiled)
    return compiled
  }
  for await (const raw of rows?.(countBytes, scratch) ?? readRows(file, mapping, countBytes)) {
    if (read !== undefined) readRow(raw, read)
    else if (sample.push(raw) === sampledRows || bytesRead > sampledBytes) read = readSample()
  }
  if (read === undefined) readSample()
  if (rowsRead === skipped.count) {
    const found = rowsRead === 0 ? 'found none' : `found ${rowsRead}: ${skipped.describe()}`
    throw new DataImportError(file, `expected valid rows, ${found}`)
  }
  return { file, mapping, isGuess, rowsRead, withText, skipped, values }
}

function readRows(file: string, mapping: Mapping, onBytes: (bytes: number) => void) {
  return readTable(file, { ...mapping, names: mappedNames(mapping) }, onBytes)
}

/** Reads one row, or returns the problem of a row that cannot be used. */
type ReadRow = (row: RawRow, line: number) => SourceRow | string

function compileMapping(mapping: Mapping, values: ValueReport, separatorOf: SeparatorOf): ReadRow {
  const { fields } = mapping
  const none: Field = { value: '' }
  const contextOf = (name: string): FieldContext => {
    return { watch: (kind) => values.watch(name, kind), separatorOf }
  }
  const readId = compileField(fields.id ?? none, 'integer')
  const readTitle = compileField(fields.title, 'title')
  const readTitles = fields.titles.map((field) => compileField(field, 'title'))
  const readType = compileField(fields.type ?? none, 'type', contextOf('type'))
  const readYear = compileField(fields.year ?? none, 'year', contextOf('year'))
  const readScore = compileField(fields.score ?? none, 'score', contextOf('score'))
  const readPopularity = compilePopularity(fields.popularity, contextOf('popularity'))
  const readGenres = compileField(fields.genres ?? none, 'list', contextOf('genres'))
  const readRelated = compileField(fields.related ?? none, 'list', contextOf('related'))
  const readFacts = compileFacts(fields, contextOf)
  const readTexts = Object.values(mapping.texts).map((field) => compileField(field, 'synopsis'))
  const readMetadata = Object.entries(mapping.metadata).map(
    ([name, field]) => [name, compileField(field, 'unchanged', contextOf(name))] as const,
  )
  return (row, line) => {
    const title = textOrNull(readTitle(row))
    if (title === null) return 'no title'
    const id = idOf(readId(row))
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

function idOf(value: unknown): number | null {
  if (typeof value === 'string') return isTextId(value) ? integerOfTextId(value) : null
  return typeof value === 'number' && value >= 0 ? value : null
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function texts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((member) => typeof member === 'string')
  return typeof value === 'string' && value !== '' ? [value] : []
}

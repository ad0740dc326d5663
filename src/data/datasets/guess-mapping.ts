/** A mapping for a file that somebody brings: guessed from its name, its fields and its values, then tried on its first rows. */
import { basename, extname } from 'node:path'
import * as v from 'valibot'
import type { DatasetName } from '../catalogue/catalogue.js'
import { DataImportError } from '../../base/errors/index.js'
import { systemReason } from '../../base/util/system-reason.js'
import { guessFields, type GuessedFields } from './guess-fields.js'
import { mappingSchema, type Mapping } from './mapping.js'
import type { NumberedRow } from './raw-rows.js'
import { foundNames } from './found-names.js'
import { shellWord } from '../../base/util/runnable.js'
import { requireRegular } from './regular-file.js'
import { readSource, type Source } from './source.js'
import { readTable } from './tables/read-table.js'
import { sampleTable, type FlatRow, type TableSample } from './tables/sample-table.js'

export interface GuessedMapping {
  /** As a mapping file holds it. */
  readonly mapping: Readonly<Record<string, unknown>>
  readonly sample: TableSample
  /** Fields that no member of the mapping reads. */
  readonly unused: readonly string[]
  readonly dates: GuessedFields['dates']
  /** Whether the file says that it holds anime or manga; else it is taken for anime. */
  readonly isDatasetCertain: boolean
  readonly trial: Trial
}

/** What the mapping makes of the first rows of the file. */
interface Trial {
  readonly rows: number
  readonly usable: number
  readonly withText: number
  readonly source: Source
}

/** Rows that the mapping is tried on. */
const triedRows = 100

/**
 * Rejects with a DataImportError where the file cannot be read, has no titles or texts, or where the mapping reads
 * fewer than half of the first rows.
 * @param dataset what the file holds, where a person has decided that; then a list of titles needs no texts
 */
export async function guessMapping(file: string, dataset?: DatasetName): Promise<GuessedMapping> {
  try {
    requireRegular(file)
  } catch (cause) {
    if (cause instanceof DataImportError) throw cause
    throw new DataImportError(file, `cannot be read: ${systemReason(cause)}`, { cause })
  }
  const guesses = (await sampleTable(file)).map((sample) => ({
    sample,
    guessed: guessFields(sample.header, sample.rows),
  }))
  const [first] = guesses
  if (first === undefined) throw new DataImportError(file, noList)
  const { sample, guessed } = guesses.find(({ guessed }) => isUsable(guessed)) ?? first
  requireUsable(file, sample, guessed, dataset !== undefined)
  const { fields, metadata, texts, used, dates } = guessed
  const mapping = {
    dataset: dataset ?? datasetOf(file, guessed),
    file: basename(file),
    format: sample.format,
    ...(sample.encoding !== 'utf-8' && { encoding: sample.encoding }),
    ...(sample.table !== undefined && { table: sample.table }),
    fields,
    ...(Object.keys(metadata).length > 0 && { metadata }),
    texts,
  }
  return {
    mapping,
    sample,
    unused: sample.header.filter((name) => !used.has(name)),
    dates,
    isDatasetCertain: dataset !== undefined || showsDataset(file, guessed),
    trial: await tryMapping(file, mapping),
  }
}

const datasetOf = (file: string, { isManga }: GuessedFields): DatasetName =>
  isManga || /manga|manhwa|novel/i.test(basename(file)) ? 'manga' : 'anime'

/** Types, counts or the name say which of the two it is. */
const showsDataset = (file: string, { isManga, isAnime }: GuessedFields): boolean =>
  isManga || isAnime || /anime|manga|manhwa|novel/i.test(basename(file))

/** The mapping as the import reads it. */
export const parsedMapping = (mapping: GuessedMapping['mapping']): Mapping =>
  v.parse(mappingSchema, mapping)

/** @throws DataImportError where fewer than half of the rows can be used */
async function tryMapping(file: string, draft: GuessedMapping['mapping']): Promise<Trial> {
  const mapping = parsedMapping(draft)
  const counts = { usable: 0, withText: 0 }
  const source = await readSource(
    { file, mapping, rows: () => firstRows(file, mapping) },
    () => undefined,
    ({ texts }) => {
      counts.usable += 1
      if (texts.some((text) => text !== null)) counts.withText += 1
    },
  )
  const { rowsRead, skipped } = source
  if (counts.usable * 2 < rowsRead) {
    const problem = `the mapping that fits best reads ${counts.usable} of the first ${rowsRead} rows`
    throw new DataImportError(file, `${problem} (${skipped.describe()}); ${byHand}`)
  }
  return { rows: rowsRead, ...counts, source }
}

async function* firstRows(file: string, mapping: Mapping): AsyncGenerator<NumberedRow> {
  let count = 0
  for await (const row of readTable(file, { ...mapping, names: [] }, () => undefined)) {
    yield row
    if ((count += 1) === triedRows) return
  }
}

/** The mapping's file next to the data: `mine.csv` gets `mine.json`, and `mine.json` gets `mine.mapping.json`. */
export const mappingFileOf = (file: string): string =>
  `${withoutEnding(file)}${/\.json$/i.test(file) ? '.mapping' : ''}.json`

const noList =
  'has no whole list of objects; expected JSON such as [{"title": "…", "synopsis": "…"}], alone or inside of an object'

const withoutEnding = (file: string) => file.slice(0, file.length - extname(file).length)

const byHand = 'write a mapping by hand, as docs/mapping.md shows'

const isUsable = ({ fields, texts }: GuessedFields) =>
  fields.title !== undefined && Object.keys(texts).length > 0

/** A title alone may be any name; a work has a type, a year or a length besides. */
const isListOfTitles = ({ fields }: GuessedFields) =>
  (['type', 'year', 'episodes', 'volumes', 'chapters'] as const).some(
    (member) => fields[member] !== undefined,
  )

/** @param needsNoTexts whether a list of titles will do */
function requireUsable(
  file: string,
  { header, rows }: TableSample,
  guessed: GuessedFields,
  needsNoTexts: boolean,
): void {
  const found = foundNames(header)
  if (rows.length === 0) throw new DataImportError(file, 'has no row below its header')
  if (guessed.fields.title === undefined)
    throw new DataImportError(
      file,
      `has no field that looks like a title; ${byHand}; found ${found}`,
    )
  if (Object.keys(guessed.texts).length > 0 || (needsNoTexts && isListOfTitles(guessed))) return
  const remedy = isListOfTitles(guessed)
    ? `for a list of titles, \`synoptic data init ${shellWord(file)} --dataset anime\` (or manga) writes a mapping`
    : byHand
  throw new DataImportError(
    file,
    `has no field that looks like a synopsis; ${remedy}; found ${found}`,
  )
}

/** The value of a field in the first row that has one, for reports. */
export function exampleOf(name: string, rows: readonly FlatRow[]): string {
  const value = rows
    .map((row) => row[name])
    .find((one) => one !== undefined && one !== null && one !== '')
  const text =
    typeof value === 'string' ? value.replace(/\s+/g, ' ') : JSON.stringify(value ?? null)
  return text.length > 50 ? `${text.slice(0, 50)}…` : text
}

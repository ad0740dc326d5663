/** `synoptic data init`: looks at a file and writes a mapping for it. */
import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { expectedName, isDatasetName } from '../data/catalogue/catalogue.js'
import {
  exampleOf,
  guessMapping,
  mappingFileOf,
  type GuessedMapping,
} from '../data/datasets/guess-mapping.js'
import type { TableSample } from '../data/datasets/tables/sample-table.js'
import type { TableFormat } from '../data/datasets/tables/table-format.js'
import { SettingsError } from '../base/errors/index.js'
import { counted } from '../base/util/counted.js'
import { replaceFile } from '../base/util/replace-file.js'
import { shellWord } from '../base/util/runnable.js'
import type { Command } from './command.js'
import { describeValues } from './data-values-report.js'
import { parseWords } from './parse-words.js'
import { print } from './print.js'

export const dataInit: Command = {
  name: 'data init',
  summary: 'Looks at a file with a table and writes a mapping for it.',
  help: `Usage: synoptic data init FILE [--dataset <name>] [--into <file>] [--force]

Reads CSV, TSV, JSON, JSON lines, Excel (.xlsx), OpenDocument (.ods), Parquet and SQLite. Finds the
fields of the file, tries them on the first rows, and writes a mapping next to the file: mine.csv
gets mine.json. Read the mapping before you import; docs/mapping.md explains it.

  --dataset <name>  anime or manga.
                    default manga if the file has volumes or chapters, or "manga" in its name
  --into <file>     The mapping's file.
                    default the name of the file with .json, or .mapping.json if it is that already
  --force           Replaces a mapping that is there.

Example:
  synoptic data init mine.csv`,
  run,
}

async function run(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords('data init', argv, {
    dataset: { type: 'string' },
    into: { type: 'string' },
    force: { type: 'boolean' },
  })
  const [file] = positionals
  const { dataset } = values
  const into = values.into ?? mappingFileOf(file ?? '')
  const problems = [
    ...(positionals.length === 1 ? [] : [`name one file, received ${positionals.length}`]),
    ...(dataset === undefined || isDatasetName(dataset)
      ? []
      : [`--dataset: expected ${expectedName}, received ${dataset}`]),
    ...(file !== undefined && resolve(into) === resolve(file)
      ? [`--into: expected another file than the data, received ${into}`]
      : file !== undefined && existsSync(into) && values.force !== true
        ? [`${into} is there; --force replaces it, --into names another file`]
        : []),
  ]
  if (file === undefined || problems.length > 0)
    throw new SettingsError(problems.map((problem) => `data init: ${problem}`))
  const guessed = await guessMapping(file, dataset)
  // A mapping names its file from where it lies itself.
  const mapping = { ...guessed.mapping, file: relative(dirname(into), file) }
  replaceFile(into, `${JSON.stringify(mapping, undefined, 2)}\n`)
  print(describe(guessed, into))
  return 0
}

const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}
const formatNames: Readonly<Record<TableFormat, string>> = {
  csv: 'CSV',
  jsonl: 'JSON lines',
  json: 'JSON',
  xlsx: 'Excel',
  ods: 'OpenDocument',
  parquet: 'Parquet',
  sqlite: 'SQLite',
}

function describe({ mapping, sample, unused, dates, trial }: GuessedMapping, into: string) {
  const { fields, texts, metadata = {} } = mapping as Record<string, object>
  const read = Object.entries<unknown>({ ...fields, ...texts, ...metadata })
  const { rows, usable, withText, source } = trial
  const lines = [
    `${String(mapping.file)}: ${describeFormat(sample)}, ${String(mapping.dataset)}`,
    ...read.map(([member, field]) => `  ${member}: ${described(field, sample)}`),
    ...describeDates(dates),
    ...(unused.length > 0 ? ['', 'Not read:', ...unread(unused, sample)] : []),
    '',
    `Tried on ${counted(rows, 'row')}: ${usable} usable, ${withText} with a text.`,
    ...(Object.keys(texts ?? {}).length > 0 ? [] : [noTexts]),
    ...(source.skipped.count > 0 ? [`  skipped: ${source.skipped.describe()}`] : []),
    ...describeValues(source.values),
    `Written to ${into}. Check it, then run:`,
    `  synoptic data import ${shellWord(into)}`,
  ]
  return `${lines.join('\n')}\n`
}

const noTexts =
  'No field looks like a synopsis: texts come from the included works that join by id or title.'

function describeFormat({ format, encoding, delimiter, table }: TableSample): string {
  const how =
    format === 'csv'
      ? ` with ${delimiterNames[delimiter ?? ','] ?? 'commas'}, ${encoding}`
      : format === 'sqlite'
        ? `, table ${table ?? ''}`
        : format === 'json' && table !== undefined
          ? `, list ${table}`
          : ''
  return `${formatNames[format]}${how}`
}

function describeDates(dates: GuessedMapping['dates']): string[] {
  if (dates === undefined) return []
  const order = dates.order === 'dmy' ? 'day, month, year' : 'month, day, year'
  const reason =
    dates.example === undefined
      ? 'a guess: no value shows it; set "order" if it is wrong'
      : `as in ${dates.example}`
  return [`  dates of ${JSON.stringify(dates.from)}: ${order} (${reason})`]
}

function described(field: unknown, { rows }: TableSample): string {
  if (Array.isArray(field)) return field.map((one) => JSON.stringify(one)).join(', ')
  const name = typeof field === 'string' ? field : (field as { from: string }).from
  return `${JSON.stringify(field)}, as in ${exampleOf(name, rows)}`
}

/** Columns that nothing reads, one a line, with a value of each. */
function unread(names: readonly string[], { rows }: TableSample): string[] {
  const width = Math.min(30, Math.max(...names.map((name) => name.length)))
  return names.map((name) => `  ${name.padEnd(width)}  ${exampleOf(name, rows)}`)
}

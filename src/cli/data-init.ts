/** `synoptic data init`: looks at a file and writes a mapping for it. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { datasetNames } from '../catalogue/catalogue.js'
import { guessMapping, mappingFileOf, type GuessedMapping } from '../datasets/guess-mapping.js'
import { SettingsError } from '../errors/index.js'
import { shellWord } from '../util/runnable.js'
import type { Command } from './command.js'
import { parseWords } from './parse-words.js'
import { print } from './print.js'

export const dataInit: Command = {
  name: 'data init',
  summary: 'Looks at a CSV or JSON lines file and writes a mapping for it.',
  help: `Usage: synoptic data init FILE [--dataset <name>] [--into <file>] [--force]

Finds the encoding, the delimiter and the fields of the file, and writes what it found as a mapping
beside it: mine.csv gets mine.json. Read the mapping before you import; docs/mapping.md explains it.

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
  const dataset = datasetNames.find((name) => name === values.dataset)
  const into = values.into ?? mappingFileOf(file ?? '')
  const problems = [
    ...(positionals.length === 1 ? [] : [`name one file, received ${positionals.length}`]),
    ...(values.dataset === undefined || dataset !== undefined
      ? []
      : [`--dataset: expected ${datasetNames.join(' or ')}, received ${values.dataset}`]),
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
  await writeFile(into, `${JSON.stringify(mapping, undefined, 2)}\n`)
  print(describe(guessed, into))
  return 0
}

const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}

function describe({ mapping, encoding, delimiter, sample, unused }: GuessedMapping, into: string) {
  const kind = delimiter === null ? 'JSON lines' : `CSV with ${delimiterNames[delimiter]}`
  const lines = [
    `${String(mapping.file)}: ${kind}, ${encoding}, ${String(mapping.dataset)}`,
    ...Object.entries({ ...asObject(mapping.fields), ...asObject(mapping.texts) }).map(
      ([member, field]) => `  ${member}: ${JSON.stringify(field)}, as in ${shown(field, sample)}`,
    ),
    ...(unused.length > 0 ? [`  not read: ${unused.join(', ')}`] : []),
    `Written to ${into}. Check it, then run:`,
    `  synoptic data import ${shellWord(into)}`,
  ]
  return `${lines.join('\n')}\n`
}

const asObject = (value: unknown) => value as Readonly<Record<string, unknown>>

/** The value of the first row. */
function shown(field: unknown, sample: Readonly<Record<string, unknown>>): string {
  const [name] = typeof field === 'object' && field !== null ? namesIn(field) : [String(field)]
  const text = JSON.stringify(sample[name ?? ''] ?? null)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const namesIn = (field: object): string[] =>
  Array.isArray(field) ? field.map(String) : 'from' in field ? [String(field.from)] : []

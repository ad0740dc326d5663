/** `synoptic data export`: writes a dataset as JSON lines or Parquet. */
import { extname } from 'node:path'
import { expectedName, isDatasetName } from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import { verifyCatalogue } from '../data/catalogue/verify-catalogue.js'
import type { Settings } from '../base/config/settings.js'
import {
  exportDataset,
  exportFormats,
  type ExportFormat,
} from '../data/datasets/export/export-dataset.js'
import { SettingsError } from '../base/errors/index.js'
import type { Command } from './command.js'
import { parseWords } from './parse-words.js'
import { print } from './print.js'

export const dataExport: Command = {
  name: 'data export',
  summary: 'Writes a dataset of the catalogue to a file: JSON lines or Parquet.',
  help: `Usage: synoptic data export --dataset <name> [--format <format>] FILE

Writes every entry with all its texts, facts, tags and metadata. The file replaces an older one at the
end. Public data that the catalogue is made of keep their licences, which the command prints.

  --dataset <name>   anime or manga.
  --format <format>  ${exportFormats.join(' or ')}.
                     default what FILE ends with: .jsonl, .ndjson or .parquet

Example:
  synoptic data export --dataset anime anime.parquet`,
  run,
}

async function run(argv: readonly string[], settings: Settings): Promise<number> {
  const options = readOptions(argv)
  await verifyCatalogue(catalogueFile(settings.dataDir))
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  try {
    const count = await exportDataset(catalogue, options)
    print(`${options.dataset}: ${count} ${count === 1 ? 'entry' : 'entries'} in ${options.file}\n`)
    for (const { name, licence, url } of catalogue.origins(options.dataset)) {
      print(`  from ${name} (${url}), ${licence}\n`)
    }
    return 0
  } finally {
    catalogue.close()
  }
}

function readOptions(argv: readonly string[]) {
  const { values, positionals } = parseWords('data export', argv, {
    dataset: { type: 'string' },
    format: { type: 'string' },
  })
  const [file = '', ...more] = positionals
  const { dataset } = values
  const format = exportFormats.find((name) => name === values.format) ?? formatOf(file)
  const isKnown = values.format === undefined || format === values.format
  const problems = [
    ...(file === '' || more.length > 0
      ? [`expected one file, received ${positionals.length}`]
      : []),
    ...(dataset === undefined || !isDatasetName(dataset)
      ? [`--dataset: expected ${expectedName}, received ${dataset ?? 'nothing'}`]
      : []),
    ...(format === undefined || !isKnown
      ? [`--format: expected ${exportFormats.join(' or ')}, received ${values.format ?? 'nothing'}`]
      : []),
  ]
  if (dataset === undefined || format === undefined || problems.length > 0) {
    throw new SettingsError(problems.map((problem) => `data export: ${problem}`))
  }
  return { file, dataset, format }
}

function formatOf(file: string): ExportFormat | undefined {
  const ending = extname(file).toLowerCase()
  if (ending === '.parquet') return 'parquet'
  return ending === '.jsonl' || ending === '.ndjson' ? 'jsonl' : undefined
}

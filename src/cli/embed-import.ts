/** `synoptic embed import`. */
import { basename, dirname, resolve } from 'node:path'
import { expectedName, isDatasetName } from '../data/catalogue/catalogue.js'
import type { EmbedSettings } from '../base/config/settings.js'
import { adoptEmbeddings } from '../data/embed/adopt.js'
import { SettingsError } from '../base/errors/index.js'
import { type ModelsLocation } from '../models/registry/registry.js'
import type { Command } from './command.js'
import { runBuild, withProgressBar } from './embed-run.js'
import { checkEncoderName, wholeName } from './model-name.js'
import { parseWords } from './parse-words.js'

export const embedImport: Command = {
  name: 'embed import',
  summary: 'Imports embeddings that other software made, without encoding again.',
  help: `Usage: synoptic embed import DIR --csv <file> [--dataset <name>] [--model <name>] [--encode-rest]

DIR holds a file embeddings_<column>.npy for each column: float32, one row for each line of the CSV,
spaces in the column's name written as _. The CSV holds the texts, in columns with "synopsis" in their
names. Import the CSV with \`synoptic data import\` first; data/sources/merged-anime.json and
merged-manga.json are mappings for it. The model must be installed: the command encodes a few texts and
compares the vectors.

  --csv <file>      The CSV whose texts were embedded.
  --dataset <name>  anime or manga.
                    default the name of DIR's parent folder
  --model <name>    A name that \`synoptic models list\` shows.
                    default the model whose last part is the name of DIR
  --encode-rest     Encodes texts that are in the catalogue but not in the CSV.

Example:
  synoptic embed import model/anime/all-MiniLM-L6-v2 --csv model/merged_anime_dataset.csv`,
  run: importEmbeddings,
}

async function importEmbeddings(argv: readonly string[], settings: EmbedSettings): Promise<number> {
  const { from, csv, dataset, model, encodeRest } = readOptions(argv, settings)
  return runBuild(settings, model, (tools) =>
    withProgressBar(dataset, (onProgress) =>
      adoptEmbeddings({ ...tools, dataset, from, csv, encodeRest, onProgress }),
    ),
  )
}

function readOptions(argv: readonly string[], location: ModelsLocation) {
  const { values, positionals } = parseWords('embed import', argv, {
    csv: { type: 'string' },
    dataset: { type: 'string' },
    model: { type: 'string' },
    'encode-rest': { type: 'boolean' },
  })
  const [from, ...others] = positionals
  const { csv, 'encode-rest': encodeRest = false } = values
  const problems: string[] = []
  if (from === undefined || others.length > 0) {
    problems.push(`expected one folder, received ${positionals.length}`)
  }
  if (csv === undefined) problems.push('set --csv to the file whose texts were embedded')
  const folder = resolve(from ?? '.')
  const dataset = values.dataset ?? basename(dirname(folder))
  if (!isDatasetName(dataset)) {
    problems.push(`--dataset: expected ${expectedName}, received ${dataset}`)
  }
  // The folders of the original software have no publishers in their names.
  const model = wholeName(values.model ?? basename(folder), location)
  problems.push(...checkEncoderName(model, location).map((problem) => `--model: ${problem}`))
  if (from === undefined || csv === undefined || problems.length > 0) {
    throw new SettingsError(problems.map((problem) => `embed import: ${problem}`))
  }
  return { from, csv, dataset, model, encodeRest }
}

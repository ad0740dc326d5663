/** `synoptic eval`: how well entries are found, by every model, mode and reranker that is named. */
import { writeFileSync } from 'node:fs'
import type { Catalogue } from '../catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../catalogue/open-catalogue.js'
import type { EvalSettings } from '../config/settings.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { SettingsError } from '../errors/settings-error.js'
import { columnItems } from '../eval/column-items.js'
import { readDescriptions } from '../eval/descriptions.js'
import type { ItemSet } from '../eval/known-items.js'
import { measure } from '../eval/measure.js'
import { plotSets } from '../eval/plot.js'
import { type MeasuredSet, describeSets, setsJson } from '../eval/report.js'
import { createSearcher } from '../eval/searcher.js'
import { countSystems } from '../eval/systems.js'
import { requireRanker } from '../models/cross-encoders.js'
import { openSearch } from '../composition/open-search.js'
import { builtinRanker } from '../ranking/builtin-ranker.js'
import { requireSearchEncoder } from '../ranking/search-encoder.js'
import { suggestion } from '../util/suggest.js'
import type { Command } from './command.js'
import { createEvalMeter } from './eval-progress.js'
import { type EvalOptions, readEvalOptions } from './eval-options.js'

export const evaluate: Command = {
  name: 'eval',
  summary: 'Measures how well entries are found: MRR and recall by model, mode and reranker.',
  help: `Usage: synoptic eval [--dataset <name>] [--query-column <column>]... [--descriptions <file>]
                    [--model <name>]... [--mode <mode>]... [--reranker <name>]...
                    [--json <file>] [--plot <file>]

Asks for entries that are known. Where a dataset has several synopsis columns, the texts of one, cut
to their first two sentences, ask for their entries, and the other columns are searched; entries whose
texts begin the same are left out. A file of descriptions asks instead, one JSON object a line:
{"description": "...", "title": "..."}, with "titles" or "id" instead of the title or beside it, and
with "dataset" and "split" where wanted.

  --dataset <name>       anime or manga; all of the catalogue when left out.
  --query-column <name>  Column that asks; each in turn when left out.
  --descriptions <file>  Descriptions that ask instead; each split has figures
                         of its own.
  --model <name>         Encoder, as \`synoptic models list\` shows it.
                         default builtin/static-en
  --mode <mode>          semantic (similarity), lexical (words) or hybrid (both,
                         as in /search); all when left out.
  --reranker <name>      What orders the first 100: none, builtin/maxsim-en, or a
                         cross-encoder that is installed or fine-tuned.
                         default none and builtin/maxsim-en
  --json <file>          Writes the figures as JSON.
  --plot <file>          Draws them as SVG.
  --search-encoder <name>, --popularity <weight>, --fine-tuned-dir <folder>
                         As of \`synoptic serve\`.

An option that names a thing may be given several times. Equal runs give equal bytes.

Examples:
  synoptic eval --dataset anime --plot anime.svg
  synoptic eval --descriptions bench/data/descriptions.jsonl --model encoders/all-MiniLM-L6-v2`,
  run,
}

async function run(argv: readonly string[], settings: EvalSettings): Promise<number> {
  const options = readEvalOptions(argv, settings)
  const sets = await readSets(options, settings)
  const queries = sets.reduce((sum, { items }) => sum + items.length, 0)
  const meter = createEvalMeter(queries * countSystems(options))
  const measured: MeasuredSet[] = []
  try {
    for (const set of sets) {
      const search = await openSearch({ ...settings, ...ownProcess }, { without: set.without })
      try {
        measured.push(await measure(set, options, createSearcher(search), meter.step))
      } finally {
        await search.close()
      }
    }
  } finally {
    meter.stop()
  }
  process.stdout.write(describeSets(measured))
  if (options.json !== undefined) writeFileSync(options.json, setsJson(measured))
  if (options.plot !== undefined) writeFileSync(options.plot, plotSets(measured))
  return queries > 0 ? 0 : 1
}

/** What a server takes besides: this is one process, which names its rankers. */
const ownProcess = {
  ...{ workers: 1, threads: 0, modelMemoryLimit: 0, queryCache: 0 },
  ...{ device: 'auto', crossEncoder: builtinRanker },
}

/** Before anything is loaded: what asks, and whether it can be asked. */
async function readSets(options: EvalOptions, settings: EvalSettings): Promise<readonly ItemSet[]> {
  await requireRerankers(options, settings)
  await requireSearchEncoder(settings)
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  try {
    if (options.descriptions === undefined) return columnSets(catalogue, options)
    const { sets, missing } = await readDescriptions(
      options.descriptions,
      catalogue,
      options.dataset,
    )
    for (const line of missing) process.stderr.write(`${line}; left out\n`)
    return sets
  } finally {
    catalogue.close()
  }
}

async function requireRerankers({ rerankers }: EvalOptions, settings: EvalSettings) {
  for (const name of rerankers) {
    if (name !== null) await requireRanker('eval: --reranker', name, settings)
  }
}

/** @throws SettingsError where there is no other column, or none of that name */
function columnSets(catalogue: Catalogue, { dataset, queryColumns }: EvalOptions): ItemSet[] {
  const infos = catalogue.datasets().filter(({ name }) => dataset === undefined || name === dataset)
  if (dataset !== undefined && infos.length === 0) throw new DatasetMissingError(dataset)
  const several = infos.filter(({ columns }) => columns.length > 1)
  if (several.length === 0) {
    const names = infos.map(({ name }) => name).join(' or ')
    throw new SettingsError([
      `eval: expected a dataset with at least two synopsis columns, one to ask and others to search; ` +
        `${names} has one; give --descriptions <file> instead`,
    ])
  }
  const allColumns = several.flatMap(({ columns }) => columns)
  const unknown = queryColumns.filter((column) => !allColumns.includes(column))
  if (unknown.length > 0) {
    throw new SettingsError(
      unknown.map(
        (column) =>
          `eval: --query-column: expected ${[...new Set(allColumns)].join(' or ')}, ` +
          `received ${column}${suggestion(column, allColumns)}`,
      ),
    )
  }
  return several.flatMap((info) =>
    [...info.columns.keys()]
      .filter(
        (column) => queryColumns.length === 0 || queryColumns.includes(info.columns[column] ?? ''),
      )
      .map((column) => columnItems(catalogue, info, column)),
  )
}

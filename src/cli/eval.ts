/** `synoptic eval`: measures search quality for each model, mode and reranker. */
import type { Catalogue, DatasetInfo } from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import type { EvalSettings } from '../base/config/settings.js'
import { DatasetMissingError, SettingsError } from '../base/errors/index.js'
import { columnItems } from '../search/eval/column-items.js'
import { readDescriptions } from '../search/eval/descriptions.js'
import type { ItemSet } from '../search/eval/known-items.js'
import { ownItems } from '../search/eval/own-items.js'
import { measure } from '../search/eval/measure.js'
import { plotSets } from '../search/eval/plot.js'
import { type MeasuredSet, describeSets, setsJson } from '../search/eval/report.js'
import { createSearcher } from '../search/eval/searcher.js'
import { countSystems } from '../search/eval/systems.js'
import { requireRanker } from '../models/registry/cross-encoders.js'
import { openSearch } from '../search/composition/open-search.js'
import { builtinRanker } from '../search/ranking/builtin-ranker.js'
import { requireSearchEncoder } from '../search/composition/require-search-encoder.js'
import { replaceFile } from '../base/util/replace-file.js'
import { suggestion } from '../base/util/suggest.js'
import type { Command } from './command.js'
import { createEvalProgressBar } from './eval-progress.js'
import { type EvalOptions, readEvalOptions } from './eval-options.js'
import { evaluateQueries, onlyDataset } from './eval-queries.js'
import { print, printError } from './print.js'

export const evaluate: Command = {
  name: 'eval',
  summary: 'Measures search quality: MRR and recall by model, mode and reranker.',
  help: `Usage: synoptic eval [--dataset <name>] [--query-column <column>]... [--descriptions <file>]
                    [--model <name>]... [--mode <mode>]... [--reranker <name>]...
                    [--json <file>] [--plot <file>]
       synoptic eval --queries <file> [--dataset <name>] [--model <name>]... [--json <file>]

Runs queries whose right entries are given, and reports the ranks of these entries. By default the
queries come from a dataset with several synopsis columns: the first two sentences of each text of
one column are a query, and the other columns are searched. Entries whose texts begin alike are
excluded. Where entries have one text each, the queries are their titles and the openings of their
texts.
With --descriptions the queries come from a file, one JSON object a line: {"description": "...",
"title": "..."}. "titles" or "id" may name the entry; "dataset" and "split" are optional.
With --queries the queries are of several kinds, as people type them: {"kind": "like", "query": "...",
"ids": [...]}. Each kind has its own row: what /search reaches, and what it gains on its ranker without
the reading of queries, on bm25, and on an encoder fused with bm25. docs/quality.md lists the kinds.

  --dataset <name>       anime or manga.
                         default all datasets of the catalogue
  --query-column <name>  Column whose texts are the queries.
                         default each column in turn
  --descriptions <file>  File of queries. Each split has its own figures.
  --queries <file>       File of queries of several kinds; also what \`--feedback\` keeps.
  --model <name>         Encoder, as \`synoptic models list\` shows it.
                         default builtin/static-en
  --mode <mode>          semantic (similarity), lexical (words) or hybrid (both,
                         as in /search).
                         default all modes
  --reranker <name>      Orders the first 100 hits: none, builtin/maxsim-en, or an
                         installed or fine-tuned cross-encoder.
                         default none and builtin/maxsim-en
  --json <file>          Writes the figures as JSON.
  --plot <file>          Draws the figures as SVG.
  --search-encoder <name>, --popularity <weight>, --fine-tuned-dir <folder>
                         As in \`synoptic serve\`.

Repeat --query-column, --model, --mode or --reranker to compare several. The same run prints the
same bytes.

Examples:
  synoptic eval --dataset anime --plot anime.svg
  synoptic eval --descriptions bench/data/descriptions.jsonl --model encoders/all-MiniLM-L6-v2`,
  run,
}

async function run(argv: readonly string[], settings: EvalSettings): Promise<number> {
  const options = readEvalOptions(argv, settings)
  if (options.queries !== undefined) {
    await requireSearchEncoder(settings)
    return evaluateQueries(options.queries, options, { ...settings, ...ownProcess })
  }
  const sets = await readSets(options, settings)
  const queries = sets.reduce((sum, { items }) => sum + items.length, 0)
  const progressBar = createEvalProgressBar(queries * countSystems(options))
  const measured: MeasuredSet[] = []
  try {
    for (const set of sets) {
      const search = await openSearch({ ...settings, ...ownProcess }, { without: set.without })
      try {
        measured.push(await measure(set, options, createSearcher(search), progressBar.step))
      } finally {
        await search.close()
      }
    }
  } finally {
    progressBar.stop()
  }
  print(describeSets(measured))
  if (options.json !== undefined) replaceFile(options.json, setsJson(measured))
  if (options.plot !== undefined) replaceFile(options.plot, plotSets(measured))
  return queries > 0 ? 0 : 1
}

/** Server settings for this one process. */
export const ownProcess = {
  workers: 1,
  threads: 0,
  modelMemoryLimit: 0,
  queryCache: 0,
  device: 'auto',
  crossEncoder: builtinRanker,
}

/** Reads the queries, and checks rerankers and encoder before any model is loaded. */
async function readSets(options: EvalOptions, settings: EvalSettings): Promise<readonly ItemSet[]> {
  await requireRerankers(options, settings)
  await requireSearchEncoder(settings)
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  try {
    if (options.descriptions === undefined) return columnSets(catalogue, options)
    const { sets, missing } = await readDescriptions(
      options.descriptions,
      catalogue,
      options.dataset ?? onlyDataset(catalogue),
    )
    for (const line of missing) printError(`${line}; skipped\n`)
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

/** @throws SettingsError if a column is named that the dataset has not, or its only one */
function columnSets(catalogue: Catalogue, { dataset, queryColumns }: EvalOptions): ItemSet[] {
  const infos = catalogue.datasets().filter(({ name }) => dataset === undefined || name === dataset)
  if (dataset !== undefined && infos.length === 0) throw new DatasetMissingError(dataset)
  if (queryColumns.length === 0) return infos.flatMap((info) => defaultSets(catalogue, info))
  const several = infos.filter(({ columns }) => columns.length > 1)
  if (several.length === 0) {
    const names = infos.map(({ name }) => name).join(' or ')
    throw new SettingsError([
      `eval: --query-column: ${names} has one synopsis column; queries from a column need at least two. ` +
        `Leave it out, or use --descriptions <file>`,
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
      .filter((column) => queryColumns.includes(info.columns[column] ?? ''))
      .map((column) => columnItems(catalogue, info, column)),
  )
}

/** Columns that few entries have both of, as where few included works have joined, measure nothing. */
function defaultSets(catalogue: Catalogue, info: DatasetInfo): ItemSet[] {
  const columns = info.columns.length > 1 ? [...info.columns.keys()] : []
  const sets = columns.map((column) => columnItems(catalogue, info, column))
  const enough = Math.min(leastQueries, info.rows * leastShare)
  return sets.some(({ items }) => items.length >= enough) ? sets : ownItems(catalogue, info)
}

const leastQueries = 100
const leastShare = 0.1

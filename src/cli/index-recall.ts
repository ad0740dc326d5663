/** `synoptic index recall`: what searches by the engine's graph miss, and what they save. */
import * as v from 'valibot'
import {
  expectedName,
  isDatasetName,
  type Catalogue,
  type DatasetInfo,
} from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import type { PublishSettings } from '../base/config/settings.js'
import { DatasetMissingError, SettingsError } from '../base/errors/index.js'
import type { Encoder } from '../models/encoders/encoder.js'
import { readLines } from '../search/eval/json-lines.js'
import { opening } from '../search/eval/openings.js'
import { builtinModel } from '../models/registry/registry.js'
import { requireInstalled } from '../models/registry/resolve-model.js'
import { countSearches, measureRecall, type Recall } from '../search/opensearch/recall.js'
import { createRemoteVectors } from '../search/opensearch/remote-vectors.js'
import { createEncoders } from '../models/residency/encoders.js'
import type { Command } from './command.js'
import { createEvalProgressBar } from './eval-progress.js'
import { checkEncoderName, wholeName } from './model-name.js'
import { parseOptions } from './parse-words.js'
import { print } from './print.js'
import { stopOnSignal } from './stop-on-signal.js'

/** What a page shows, and what the ranker of /search gets. */
const depths = [10, 100]
const usualCandidates = '20,50,100,200,500,1000'
const usualQueries = 200

export const indexRecall: Command & {
  run(argv: readonly string[], settings: PublishSettings): Promise<number>
} = {
  name: 'index recall',
  summary: "Measures what searches by OpenSearch's graph miss, by number of candidates.",
  help: `Usage: synoptic index recall [--dataset <name>] [--model <name>] [--queries <file>] [--candidates <list>]

Searches exactly and by the graph (HNSW) of an index that was published with --index-candidates, and shows
which share of the exact first ${depths.join(' and ')} works the graph finds, and the median time of a search.

  --dataset <name>     anime or manga. Default: each in turn.
  --model <name>       Encoder. Default: ${builtinModel}.
  --queries <file>     One JSON object a line with a "query" or a "description", as --feedback writes them.
                       Default: the openings of ${usualQueries} texts, which are easier than what people ask.
  --candidates <list>  Numbers for --index-candidates to compare. Default: ${usualCandidates}.

Example:
  synoptic index recall --queries feedback.jsonl --index-url https://search.example.org:9200`,
  run: recall,
}

async function recall(argv: readonly string[], settings: PublishSettings): Promise<number> {
  const options = await readOptions(argv, settings)
  const model = requireInstalled(options.model, settings)
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  const encoders = createEncoders()
  const vectors = createRemoteVectors(settings)
  const stop = stopOnSignal()
  try {
    const datasets = catalogue.datasets().filter(({ name }) => (options.dataset ?? name) === name)
    if (datasets.length === 0) throw new DatasetMissingError(options.dataset ?? 'anime')
    for (const dataset of datasets) {
      const texts = options.texts ?? openingsOf(catalogue, dataset)
      const queries = await encodeAll(await encoders.get(model), texts, stop.signal)
      const trial = { queries, candidates: options.candidates, depths }
      const bar = createEvalProgressBar(countSearches(trial))
      const open = (candidates: number | undefined) => vectors.open(dataset, model, { candidates })
      const measured = await measureRecall({
        ...trial,
        open,
        signal: stop.signal,
        onSearched: bar.step,
      }).finally(() => bar.stop())
      const kind = options.texts === undefined ? 'openings of texts' : 'queries'
      print(describe(`${dataset.name} ${options.model}, ${queries.length} ${kind}`, measured))
    }
    return 0
  } finally {
    await vectors.close()
    await encoders.close()
    catalogue.close()
    stop.forget()
  }
}

/** Evenly spread over the dataset. */
function openingsOf(catalogue: Catalogue, { name, rows }: DatasetInfo): string[] {
  const step = Math.max(1, Math.floor(rows / usualQueries))
  const texts: string[] = []
  for (const { row, text } of catalogue.texts(name, 0)) {
    if (row % step === 0) texts.push(opening(text))
  }
  return texts.slice(0, usualQueries)
}

/** Leaves out texts without a word that the model knows. */
async function encodeAll(
  encoder: Encoder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const { vectors } = await encoder.encode(texts, { signal, priority: 'bulk' })
  const { dimension } = encoder
  return texts
    .map((_, i) => vectors.subarray(i * dimension, (i + 1) * dimension))
    .filter((vector) => vector.some((value) => value !== 0))
}

function describe(title: string, measured: readonly Recall[]): string {
  const header = depths.map((depth) => `first ${depth}   none missing   ms`.padStart(33))
  const lines = measured.map(({ candidates, depths: figures }) => {
    const name = candidates === undefined ? 'exact' : String(candidates)
    const cells = figures.map(
      ({ recall: share, whole, medianMs }) =>
        share.toFixed(4).padStart(13) +
        percent(whole).padStart(14) +
        medianMs.toFixed(1).padStart(6),
    )
    return `  ${name.padEnd(12)}${cells.join('')}`
  })
  return `${title}\n  ${'candidates'.padEnd(12)}${header.join('')}\n${lines.join('\n')}\n`
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`

const lineSchema = v.pipe(
  v.object({ query: v.optional(v.string()), description: v.optional(v.string()) }),
  v.transform(({ query, description }) => (query ?? description ?? '').trim()),
  v.nonEmpty('expected a query'),
)

async function readOptions(argv: readonly string[], settings: PublishSettings) {
  const values = parseOptions('index recall', argv, {
    dataset: { type: 'string' },
    model: { type: 'string' },
    queries: { type: 'string' },
    candidates: { type: 'string' },
  })
  const model = wholeName(values.model ?? builtinModel, settings)
  const { dataset } = values
  const list = values.candidates ?? usualCandidates
  const candidates = list.split(',').map(Number)
  const isList = candidates.every(
    (count) => Number.isInteger(count) && count >= 10 && count <= 10_000,
  )
  const problems = [
    ...(dataset === undefined || isDatasetName(dataset)
      ? []
      : [`--dataset: expected ${expectedName}, received ${dataset}`]),
    ...checkEncoderName(model, settings).map((problem) => `--model: ${problem}`),
    ...(isList ? [] : [`--candidates: expected integers from 10 to 10000, received ${list}`]),
  ]
  if (problems.length > 0) throw new SettingsError(problems.map((text) => `index recall: ${text}`))
  const lines =
    values.queries === undefined ? undefined : await readLines(values.queries, lineSchema)
  return { dataset, model, candidates, texts: lines?.map(({ line }) => line) }
}

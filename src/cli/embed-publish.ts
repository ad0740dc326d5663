/** `synoptic embed publish`: vectors into an index of OpenSearch. */
import { SingleBar } from 'cli-progress'
import { expectedName, isDatasetName, type DatasetInfo } from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import type { PublishSettings, Settings } from '../base/config/settings.js'
import { SettingsError } from '../base/errors/index.js'
import { findEmbeddings } from '../search/index/open-index.js'
import { builtinModel, type ResolvedModel } from '../models/registry/registry.js'
import { requireInstalled } from '../models/registry/resolve-model.js'
import { openCollection } from '../native/addon/index.js'
import type { Engine } from '../search/opensearch/engine.js'
import { pruneIndices, publishIndex, type PublishProgress } from '../search/opensearch/publish.js'
import { candidatesOf, openEngine } from '../search/opensearch/remote-vectors.js'
import { counted } from '../base/util/counted.js'
import { barSize } from './bar-size.js'
import type { Command } from './command.js'
import { describeSeconds } from './embed-progress.js'
import { checkEncoderName, wholeName } from './model-name.js'
import { parseOptions } from './parse-words.js'
import { print, printError } from './print.js'
import { stopOnSignal } from './stop-on-signal.js'

export const embedPublish: Command & {
  run(argv: readonly string[], settings: PublishSettings): Promise<number>
} = {
  name: 'embed publish',
  summary: 'Loads embeddings into OpenSearch, for servers with --index opensearch.',
  help: `Usage: synoptic embed publish [--dataset <name>] [--model <name>] [--shards <n>] [--replicas <n>] [--prune]

Loads the vectors into an index of their own, then has the alias point to it in one step; searches go
on meanwhile. To resume a publication that was stopped or killed, run the same command again.

  --dataset <name>  anime or manga; both by default.
  --model <name>    Encoder whose embeddings are published. Default: ${builtinModel}.
  --shards <n>      Parts of the index, which nodes search side by side. Default: 1.
  --replicas <n>    Copies of each part on other nodes, so that none is lost with a node. Default: 1, or 0
                    if there is one node.
  --index-candidates <n>
                    A number of any size has the engine build a graph (HNSW) of the vectors, which servers with
                    --index-candidates walk through. It takes several times as long.
  --prune           Removes earlier indices of the same dataset and model afterwards.

Example:
  synoptic embed publish --dataset anime --index-url https://search.example.org:9200 --shards 3`,
  run: publish,
}

async function publish(
  argv: readonly string[],
  settings: Settings & PublishSettings,
): Promise<number> {
  const options = readOptions(argv, settings)
  const model = requireInstalled(options.model, settings)
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  const engine = openEngine(settings)
  const stop = stopOnSignal()
  try {
    for (const { name } of catalogue.datasets()) {
      const dataset = catalogue.dataset(name)
      if (dataset === undefined || (options.dataset ?? name) !== name) continue
      await publishOne(dataset, engine, { ...settings, ...options, model, signal: stop.signal })
    }
    return 0
  } catch (error) {
    if (!stop.signal.aborted) throw error
    printError('Stopped. To resume, run the same command again.\n')
    return 130
  } finally {
    await engine.close()
    catalogue.close()
    stop.forget()
  }
}

interface PublishRun extends PublishSettings {
  readonly model: ResolvedModel
  readonly shards: number
  readonly replicas: number | undefined
  readonly prune: boolean
  readonly signal: AbortSignal
}

async function publishOne(dataset: DatasetInfo, engine: Engine, run: PublishRun): Promise<void> {
  const { model, shards, replicas, signal, indexPrefix: prefix } = run
  const embeddings = await findEmbeddings(run, dataset, model)
  const vectors = await openCollection(embeddings)
  const bar = createBar(dataset.name)
  const begunMs = performance.now()
  try {
    const { index, sent, isNew, old } = await publishIndex({
      engine,
      prefix,
      dataset,
      embeddings,
      vectors,
      signal,
      onProgress: bar.show,
      spread: { shards, replicas },
      hasGraph: candidatesOf(run) !== undefined,
    })
    bar.close()
    const seconds = (performance.now() - begunMs) / 1000
    const rate = sent === 0 ? '' : `, ${(sent / seconds).toFixed(0)}/s`
    const what = isNew ? 'searched from now on' : 'was searched before'
    print(
      `${dataset.name}: ${sent} of ${counted(dataset.rows, 'entry', 'entries')} sent in ` +
        `${describeSeconds(seconds)}${rate}; ${index} ${what}\n`,
    )
    if (run.prune) await pruneIndices(engine, old)
    for (const name of old)
      print(`  ${name}: ${run.prune ? 'removed' : 'kept; --prune removes it'}\n`)
  } finally {
    bar.close()
    vectors.close()
  }
}

/** A bar on a terminal. */
function createBar(dataset: string) {
  const format = `${dataset} [{bar}] {status}`
  const barsize = barSize(dataset.length + 50)
  const bar = new SingleBar({ format, barsize, clearOnComplete: true, hideCursor: true })
  let isRunning = false
  return {
    show: ({ done, total, waitMs }: PublishProgress) => {
      if (!process.stderr.isTTY) return
      const wait = waitMs === 0 ? '' : ', the engine is busy'
      const status = `${done}/${counted(total, 'entry', 'entries')}${wait}`
      if (isRunning) bar.update(done / total, { status })
      else bar.start(1, done / total, { status })
      isRunning = true
    },
    close() {
      if (isRunning) bar.stop()
      isRunning = false
    },
  }
}

function readOptions(argv: readonly string[], settings: Settings) {
  const values = parseOptions('embed publish', argv, {
    dataset: { type: 'string' },
    model: { type: 'string' },
    shards: { type: 'string' },
    replicas: { type: 'string' },
    prune: { type: 'boolean' },
  })
  const model = wholeName(values.model ?? builtinModel, settings)
  const { dataset } = values
  const shards = countOf(values.shards ?? '1', 1, 1024)
  const replicas = values.replicas === undefined ? undefined : countOf(values.replicas, 0, 64)
  const problems = [
    ...(dataset === undefined || isDatasetName(dataset)
      ? []
      : [`--dataset: expected ${expectedName}, received ${dataset}`]),
    ...checkEncoderName(model, settings).map((problem) => `--model: ${problem}`),
    ...(typeof shards === 'number' ? [] : [`--shards: ${shards}`]),
    ...(typeof replicas === 'string' ? [`--replicas: ${replicas}`] : []),
  ]
  if (problems.length > 0 || typeof shards === 'string' || typeof replicas === 'string') {
    throw new SettingsError(problems.map((text) => `embed publish: ${text}`))
  }
  return { dataset, model, shards, replicas, prune: values.prune ?? false }
}

/** A number, or what was expected. */
function countOf(word: string, least: number, most: number): number | string {
  const count = Number(word)
  if (/^\d+$/.test(word) && count >= least && count <= most) return count
  return `expected an integer from ${least} to ${most}, received ${word}`
}

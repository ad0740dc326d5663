/** `synoptic index status`: local store, engine and catalogue compared. */
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import type { PublishSettings } from '../base/config/settings.js'
import {
  indexStates,
  type IndexState,
  type PublishedIndex,
} from '../search/opensearch/index-states.js'
import { candidatesOf, openEngine } from '../search/opensearch/remote-vectors.js'
import { counted } from '../base/util/counted.js'
import type { Command } from './command.js'
import { parseOptions } from './parse-words.js'
import { print } from './print.js'

export const indexStatus: Command & {
  run(argv: readonly string[], settings: PublishSettings): Promise<number>
} = {
  name: 'index status',
  summary: 'Compares the indices in OpenSearch with the embeddings and the catalogue.',
  help: `Usage: synoptic index status

Shows the indices of each dataset and model: which one is searched, and whether it matches the catalogue,
the model and the embeddings here. The exit status is 1 if servers of this catalogue cannot search
embeddings that are here.

Example:
  synoptic index status --index-url https://search.example.org:9200`,
  run: status,
}

async function status(argv: readonly string[], settings: PublishSettings): Promise<number> {
  parseOptions('index status', argv, {})
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  const engine = openEngine(settings)
  try {
    const states = await indexStates({
      engine,
      catalogue,
      prefix: settings.indexPrefix,
      candidates: candidatesOf(settings),
      embeddingsDir: settings.embeddingsDir,
      modelsDir: settings.modelsDir,
    })
    print(states.map(describe).join(''))
    return states.every(({ state }) => state === 'current') ? 0 : 1
  } finally {
    await engine.close()
    catalogue.close()
  }
}

function describe({ dataset, model, state, local, indices, remedy }: IndexState): string {
  const here = `embeddings here: ${local ?? 'none'}`
  const lines = [
    `${dataset} ${model}: ${state}, ${here}`,
    ...indices.map((index) => `  ${describeIndex(index)}`),
    ...(remedy === undefined ? [] : [`  ${remedy}`]),
  ]
  return `${lines.join('\n')}\n`
}

function describeIndex({ name, isCurrent, problem, ...index }: PublishedIndex): string {
  const { health, shards, replicas, bytes, hasGraph } = index
  const size = `${counted(shards, 'shard')}, ${counted(replicas, 'replica')}, ${(bytes / 1e6).toFixed(1)} MB${hasGraph ? ', with a graph' : ''}`
  const use = isCurrent ? 'searched' : 'kept'
  return `${name}: ${use}, ${health}, ${size}${problem === undefined ? '' : `: ${problem}`}`
}

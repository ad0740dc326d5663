/** What features.js and whole-search.js ask: the catalogues of prepare.py, embedded with the models of a fold. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { catalogueFile, openCatalogue } from '../../dist/data/catalogue/open-catalogue.js'
import { importDatasets } from '../../dist/data/datasets/import.js'
import { buildEmbeddings } from '../../dist/data/embed/build.js'
import { openEmbeddings } from '../../dist/data/embed/open-embeddings.js'
import { findTokenTable } from '../../dist/data/embed/token-table.js'
import { openWorkerEncoder } from '../../dist/models/encoders/worker-encoder.js'
import { readDescriptions } from '../../dist/search/eval/descriptions.js'
import { createCollectionStore, createStore } from '../../dist/search/index/store.js'
import { modelRevision } from '../../dist/models/format/revision.js'
import { openCollection } from '../../dist/native/addon/index.js'
import { openMaxSim } from '../../dist/native/addon/max-sim.js'
import { createResourceCache } from '../../dist/models/residency/resource-cache.js'
import { refuseOthers } from '../works/split.js'

export const folds = [0, 1, 2]

/** What weights are fitted to are descriptions of the fitting part, what they are judged by of the reporting part. */
export function refuseOtherParts(work) {
  const folder = join(work, 'queries')
  for (const name of readdirSync(folder)) {
    for (const file of readdirSync(join(folder, name))) {
      const text = readFileSync(join(folder, name, file), 'utf8').trim()
      const lines = text.split('\n').map((line) => JSON.parse(line))
      for (const reported of [false, true]) {
        const own = lines.filter(({ split }) => (split === 'report') === reported)
        const texts = own.map(({ description }) => description)
        refuseOthers(texts, reported ? 'reporting' : 'fitting')
      }
    }
  }
}

/** A catalogue of prepare.py, which is imported unless it was before. */
export async function openPrepared(folder, data) {
  const file = catalogueFile(folder)
  if (!existsSync(file)) {
    const mappings = readdirSync(folder).filter((file) => file.endsWith('.json'))
    const paths = mappings.sort().map((mapping) => join(folder, mapping))
    await importDatasets(paths, { from: data, into: file })
  }
  return openCatalogue(file)
}

/** The queries of a catalogue and a fold, set by set. */
export async function* queriesOf({ work, name, fold, catalogue }) {
  const folder = join(work, 'queries', name)
  for (const file of readdirSync(folder).filter((file) => file.endsWith(`.${fold}.jsonl`))) {
    const { sets, missing } = await readDescriptions(join(folder, file), catalogue)
    for (const line of missing) console.error(line)
    for (const { name: own, items } of sets) {
      const split = own.split(', ')[1] ?? null
      for (const item of items) yield { set: `${file.split('.')[0]} > ${name}`, split, item }
    }
  }
}

export const openEncoder = (model, folder) =>
  openWorkerEncoder({ model, folder, threads: availableParallelism() })

/** What the server composes of the models and embeddings of its settings, of folders of our own. */
export async function openParts(catalogue, encoder, folder, embeddingsDir) {
  const { model } = encoder
  const [{ name: dataset }] = catalogue.datasets()
  await buildEmbeddings({ catalogue, encoder, modelFolder: folder, dataset, embeddingsDir })
  const revision = await modelRevision(folder)
  const find = (info) => openEmbeddings({ embeddingsDir, dataset: info, model, revision })
  const cache = createResourceCache()
  const collections = createCollectionStore(cache, async (info) =>
    openCollection({ columns: (await find(info)).columns }),
  )
  const tokenIndexes = createStore({
    cache,
    label: 'token lists of',
    close: (index) => index.close(),
    verify: () => Promise.resolve(0),
    open: async (info) => {
      const { columns } = await find(info)
      return openMaxSim({
        table: await findTokenTable(folder),
        columns: columns.map(({ name, tokens }) => ({ name, ...tokens })),
      })
    },
  })
  return {
    model,
    catalogue,
    collections,
    tokenIndexes,
    models: { use: (_, task) => task(encoder) },
    async close() {
      await cache.close()
      await encoder.close()
    },
  }
}

/** A second encoder with the table of a fold, whose tokens are compared whatever the encoder. */
export function combine(tables, other) {
  const of = (model) => (model === tables.model ? tables : other)
  return {
    ...tables,
    models: { use: (model, task) => of(model).models.use(model, task) },
    collections: {
      use: (dataset, model, task) => of(model).collections.use(dataset, model, task),
    },
  }
}

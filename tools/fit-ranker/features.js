/**
 * Step 2: what the serving code itself makes of every query: the candidates of the first
 * stage, their features, and the rank of the wanted entry by the first stages alone. Imports the catalogues
 * and embeds them with the table of each fold, unless that was done before.
 */
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { catalogueFile, openCatalogue } from '../../dist/catalogue/open-catalogue.js'
import { importDatasets } from '../../dist/datasets/import.js'
import { buildEmbeddings } from '../../dist/embed/build.js'
import { createKnowledge } from '../../dist/knowledge/dataset-knowledge.js'
import { openEmbeddings } from '../../dist/embed/open-embeddings.js'
import { openWorkerEncoder } from '../../dist/encoders/worker-encoder.js'
import { readDescriptions } from '../../dist/eval/descriptions.js'
import { createSearcher } from '../../dist/eval/searcher.js'
import { modelRevision } from '../../dist/model-format/revision.js'
import { openCollection } from '../../dist/native/index.js'
import { openMaxSim } from '../../dist/native/max-sim.js'
import { createComputeFeatures } from '../../dist/ranking/features.js'
import { findTokenTable } from '../../dist/embed/token-table.js'
import { createCollectionStore, createStore } from '../../dist/index/store.js'
import { createResourceCache } from '../../dist/residency/resource-cache.js'
import { refuseOthers } from '../works/split.js'
import { openRecordedEncoder } from './recorded-encoder.js'

const { values } = parseArgs({
  options: {
    work: { type: 'string', default: '../fit-ranker-work' },
    data: { type: 'string', default: '../shared/data' },
    exponent: { type: 'string', default: '2' },
    'full-cosine': { type: 'string', default: '0.75' },
    together: { type: 'string', default: '0.6' },
    candidates: { type: 'string', default: '100' },
    /** A second encoder, which the ranker is fitted with too, and its folder. */
    model: { type: 'string', default: 'encoders/all-MiniLM-L6-v2' },
    'model-folder': { type: 'string', default: '../shared/models/all-MiniLM-L6-v2' },
    /** Its vectors, where they were made elsewhere, of each fold's texts: `vectors.{fold}.shipped.npy`. */
    vectors: { type: 'string' },
    /** What asked.js wrote of these texts. */
    asked: { type: 'string', default: '../fit-ranker-work/asked.json' },
    output: { type: 'string', default: 'features.jsonl' },
  },
})
const { work, data, model: otherModel, 'model-folder': otherFolder } = values
const threads = availableParallelism()
const builtin = 'builtin/static-en'
const folds = [0, 1, 2]
const featureNames = ['cosine', 'bm25', 'maxsim', 'popularity']
const count = Number(values.candidates)
const rankerConfig = {
  tokens: builtin,
  exponent: Number(values.exponent),
  fullCosine: Number(values['full-cosine']),
  together: Number(values.together),
}

refuseOtherParts()
const texts = values.vectors && JSON.parse(readFileSync(values.asked, 'utf8')).texts
const output = createWriteStream(join(work, values.output))
for (const name of readdirSync(join(work, 'queries'))) {
  const folder = join(work, 'catalogues', name)
  if (!existsSync(catalogueFile(folder))) await importCatalogue(folder)
  const catalogue = openCatalogue(catalogueFile(folder))
  const [{ name: dataset }] = catalogue.datasets()
  const open = async (encoder, modelFolder, own) =>
    openParts(catalogue, dataset, await encoder, modelFolder, join(folder, own))
  const worker = (model, folder) => openWorkerEncoder({ model, folder, threads })
  const shared = texts || (await open(worker(otherModel, otherFolder), otherFolder, 'other'))
  for (const fold of folds) {
    const tables = join(work, `fold-${fold}`)
    const parts = await open(worker(builtin, tables), tables, `${fold}`)
    const other = texts ? await open(recorded(fold), otherFolder, recordedFolder(fold)) : shared
    await writeQueries(catalogue, name, fold, combine(parts, other))
    await parts.close()
    if (texts) await other.close()
  }
  if (!texts) await shared.close()
  catalogue.close()
}
output.end()

/** What weights are fitted to are descriptions of the fitting part, what they are judged by of the reporting part. */
function refuseOtherParts() {
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

function vectorsOf(fold) {
  return values.vectors.replace('{fold}', fold)
}

function recorded(fold) {
  return openRecordedEncoder({ model: otherModel, texts, file: vectorsOf(fold) })
}

/** Of its embeddings: other vectors of the same model are not mistaken for them. */
function recordedFolder(fold) {
  const hash = createHash('sha256')
    .update(readFileSync(vectorsOf(fold)))
    .digest('hex')
  return `recorded-${fold}-${hash.slice(0, 12)}`
}

async function importCatalogue(folder) {
  const mappings = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const paths = mappings.sort().map((file) => join(folder, file))
  await importDatasets(paths, { from: data, into: catalogueFile(folder) })
}

/** What the server composes of the models and embeddings of its settings, of a folder of our own. */
async function openParts(catalogue, dataset, encoder, folder, embeddingsDir) {
  const { model } = encoder
  await buildEmbeddings({ catalogue, encoder, modelFolder: folder, dataset, embeddingsDir })
  const revision = await modelRevision(folder)
  const find = (info) => openEmbeddings({ embeddingsDir, dataset: info, model, revision })
  const cache = createResourceCache()
  const collections = createCollectionStore(cache, async (info) =>
    openCollection({ columns: (await find(info)).columns }),
  )
  const tokenIndexes = createStore({
    ...{ cache, label: 'token lists of', close: (index) => index.close() },
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
    catalogue,
    models: { use: (_, task) => task(encoder) },
    collections,
    tokenIndexes,
    async close() {
      await cache.close()
      await encoder.close()
    },
  }
}

/** The second encoder beside the table of a fold, whose tokens are compared whatever the encoder. */
function combine(parts, other) {
  const of = (model) => (model === builtin ? parts : other)
  return {
    ...parts,
    models: { use: (model, task) => of(model).models.use(model, task) },
    collections: {
      use: (dataset, model, task) => of(model).collections.use(dataset, model, task),
    },
  }
}

async function writeQueries(catalogue, name, fold, parts) {
  const searcher = createSearcher(parts)
  const encoders = [builtin, otherModel].map((encoder) => ({
    encoder,
    computeFeatures: createComputeFeatures({ ...parts, encoder, rankerConfig }),
  }))
  const [info] = catalogue.datasets()
  const popularity = catalogue.popularity(info.name)
  const knowledge = await createKnowledge(catalogue)(info)
  const folder = join(work, 'queries', name)
  for (const file of readdirSync(folder).filter((file) => file.endsWith(`.${fold}.jsonl`))) {
    const { sets, missing } = await readDescriptions(join(folder, file), catalogue)
    for (const line of missing) console.error(line)
    for (const { name: split, items } of sets) {
      for (const item of items) {
        const dataset = catalogue.dataset(item.dataset)
        const { continued, continuation } = knowledge.fit({
          readings: [],
          text: item.query,
          explained: 0,
        })
        const line = {
          continuation,
          set: `${file.split('.')[0]} > ${name}`,
          fold,
          split: split.split(', ')[1] ?? null,
          popularity: Math.max(...item.rows.map((row) => popularity[row])),
          ranks: {
            lexical: rankOf(item, await searcher.find({ mode: 'lexical', model: null }, item, 100)),
          },
          features: {},
        }
        for (const { encoder, computeFeatures } of encoders) {
          const find = (mode) => searcher.find({ mode, model: encoder }, item, count)
          line.ranks[`semantic ${encoder}`] = rankOf(item, await find('semantic'))
          const rows = await find('hybrid')
          line.ranks[`hybrid ${encoder}`] = rankOf(item, rows)
          const request = { dataset, query: item.query, rows }
          const features = await computeFeatures(request)
          const beside = await encoders
            .find((one) => one.encoder !== encoder)
            .computeFeatures(request)
          line.features[encoder] = {
            wanted: [...rows].map((row) => Number(item.rows.includes(row))),
            // By position, the candidate that each one continues; -1 where there is none.
            first: [...rows].map((row) => rows.indexOf(continued[row])),
            ...Object.fromEntries(featureNames.map((kind) => [kind, [...features[kind]]])),
            'cosine of the other encoder': [...beside.cosine],
          }
        }
        output.write(`${JSON.stringify(line)}\n`)
      }
    }
  }
}

/** From 1; null where no wanted row is among those found. */
function rankOf(item, rows) {
  const position = rows.findIndex((row) => item.rows.includes(row))
  return position < 0 ? null : position + 1
}

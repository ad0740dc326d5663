/**
 * Step 2: what the serving code itself makes of every query: the first stage's candidates, the evidence
 * for each of them, and at which place the first stages alone have the wanted entry. Imports the
 * catalogues and embeds them with the table of each fold where that has not been done.
 */
import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { catalogueFile, openCatalogue } from '../../dist/catalogue/open-catalogue.js'
import { importDatasets } from '../../dist/datasets/import.js'
import { buildEmbeddings } from '../../dist/embed/build.js'
import { openEmbeddings } from '../../dist/embed/open-embeddings.js'
import { openWorkerEncoder } from '../../dist/encoders/worker-encoder.js'
import { readDescriptions } from '../../dist/eval/descriptions.js'
import { createSearcher } from '../../dist/eval/searcher.js'
import { modelRevision } from '../../dist/models/revision.js'
import { openCollection } from '../../dist/native/index.js'
import { openMaxSim } from '../../dist/native/max-sim.js'
import { createGatherEvidence } from '../../dist/ranking/evidence.js'
import { findTokenTable } from '../../dist/ranking/token-table.js'
import { createCollectionStore, createStore } from '../../dist/search/store.js'

const { values } = parseArgs({
  options: {
    work: { type: 'string', default: '../fit-blend-work' },
    data: { type: 'string', default: '../shared/data' },
    exponent: { type: 'string', default: '2' },
    'full-cosine': { type: 'string', default: '0.75' },
    candidates: { type: 'string', default: '100' },
    /** A model to compare with, and its folder. */
    model: { type: 'string' },
    'model-folder': { type: 'string' },
  },
})
const { work, data, model: otherModel, 'model-folder': otherFolder } = values
const threads = availableParallelism()
const builtin = 'builtin/static-en'
const folds = [0, 1, 2]
const count = Number(values.candidates)
const blend = {
  encoder: builtin,
  exponent: Number(values.exponent),
  fullCosine: Number(values['full-cosine']),
}

const output = createWriteStream(join(work, 'features.jsonl'))
for (const name of readdirSync(join(work, 'queries'))) {
  const folder = join(work, 'catalogues', name)
  if (!existsSync(catalogueFile(folder))) await importCatalogue(folder)
  const catalogue = openCatalogue(catalogueFile(folder))
  const [{ name: dataset }] = catalogue.datasets()
  const other =
    otherModel === undefined
      ? undefined
      : await openParts(catalogue, dataset, otherModel, otherFolder, join(folder, 'other'))
  for (const fold of folds) {
    const tables = join(work, `fold-${fold}`)
    const parts = await openParts(catalogue, dataset, builtin, tables, join(folder, `${fold}`))
    await writeQueries({ catalogue, name, fold, parts, other })
    await parts.close()
  }
  await other?.close()
  catalogue.close()
}
output.end()

async function importCatalogue(folder) {
  const mappings = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const paths = mappings.sort().map((file) => join(folder, file))
  await importDatasets(paths, { from: data, into: catalogueFile(folder) })
}

/** What the server composes of the models and embeddings of its settings, of a folder of our own. */
async function openParts(catalogue, dataset, model, folder, embeddingsDir) {
  const encoder = await openWorkerEncoder({ model, folder, threads })
  await buildEmbeddings({ catalogue, encoder, modelFolder: folder, dataset, embeddingsDir })
  const revision = await modelRevision(folder)
  const find = (info) => openEmbeddings({ embeddingsDir, dataset: info, model, revision })
  const collections = createCollectionStore(async (info) =>
    openCollection({ columns: (await find(info)).columns }),
  )
  const tokenIndexes = createStore(
    async (info) => {
      const { columns } = await find(info)
      return openMaxSim({
        table: await findTokenTable(folder),
        columns: columns.map(({ name, tokens }) => ({ name, ...tokens })),
      })
    },
    (index) => index.close(),
  )
  return {
    catalogue,
    models: { use: (_, task) => task(encoder) },
    collections,
    tokenIndexes,
    async close() {
      collections.close()
      tokenIndexes.close()
      await encoder.close()
    },
  }
}

async function writeQueries({ catalogue, name, fold, parts, other }) {
  const gather = createGatherEvidence({ ...parts, blend })
  const stages = [
    { parts, stage: { mode: 'lexical', model: null } },
    { parts, stage: { mode: 'semantic', model: builtin } },
    ...(other === undefined
      ? []
      : ['semantic', 'hybrid'].map((mode) => ({
          parts: other,
          stage: { mode, model: otherModel },
        }))),
  ]
  const folder = join(work, 'queries', name)
  for (const file of readdirSync(folder).filter((file) => file.endsWith(`.${fold}.jsonl`))) {
    const { sets, missing } = await readDescriptions(join(folder, file), catalogue)
    for (const line of missing) console.error(line)
    for (const { name: split, items } of sets) {
      for (const item of items) {
        const dataset = catalogue.dataset(item.dataset)
        const hybrid = { mode: 'hybrid', model: builtin }
        const rows = await createSearcher(parts).find(hybrid, item, count)
        const evidence = await gather({ dataset, query: item.query, rows })
        const places = { 'hybrid builtin/static-en': placeOf(item, rows) }
        for (const { parts, stage } of stages) {
          const found = await createSearcher(parts).find(stage, item, 100)
          places[`${stage.mode} ${stage.model ?? ''}`.trim()] = placeOf(item, found)
        }
        const line = {
          set: `${file.split('.')[0]} > ${name}`,
          fold,
          split: split.split(', ')[1] ?? null,
          places,
          wanted: [...rows].map((row) => Number(item.rows.includes(row))),
          cosine: [...evidence.cosine],
          bm25: [...evidence.bm25],
          maxsim: [...evidence.maxsim],
        }
        output.write(`${JSON.stringify(line)}\n`)
      }
    }
  }
}

/** From 1; null where no wanted row is among those found. */
function placeOf(item, rows) {
  const position = rows.findIndex((row) => item.rows.includes(row))
  return position < 0 ? null : position + 1
}

/** The shipped models on the shipped sample: floors that a broken encoder, index or ranker falls through. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalogueFile } from '#synoptic/data/catalogue/open-catalogue.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { buildEmbeddings } from '#synoptic/data/embed/build.js'
import { createNamedEncoders } from '../helpers/named-encoders.js'
import { columnItems } from '#synoptic/search/eval/column-items.js'
import { readDescriptions } from '#synoptic/search/eval/descriptions.js'
import type { ItemSet } from '#synoptic/search/eval/known-items.js'
import { measure } from '#synoptic/search/eval/measure.js'
import { createSearcher } from '#synoptic/search/eval/searcher.js'
import { type Choice, modes } from '#synoptic/search/eval/systems.js'
import { locateModel } from '#synoptic/models/registry/registry.js'
import { openSearch } from '#synoptic/search/composition/open-search.js'
import { afterAll, beforeAll, expect, test } from 'vitest'

const encoder = 'builtin/static-en'
const ranker = 'builtin/maxsim-en'
const project = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'synoptic-sample-'))
const settings = {
  home: folder,
  dataDir: folder,
  embeddingsDir: join(folder, 'embeddings'),
  modelsDir: join(folder, 'models'),
  fineTunedDir: 'fine-tuned',
  crossEncoder: ranker,
  workers: 1,
  threads: 1,
  modelMemoryLimit: 0,
  queryCache: 0,
  device: 'cpu',
  searchEncoder: encoder,
  rankerWeights: 'none',
  popularity: 0.15,
}
let sets: readonly ItemSet[]

beforeAll(async () => {
  const mappings = ['anime', 'manga'].map((name) => project(`data/sample/${name}.json`))
  await importDatasets(mappings, { into: catalogueFile(folder) })
  const encoders = createNamedEncoders({ modelsDir: settings.modelsDir })
  const search = await openSearch(settings)
  const { catalogue } = search
  const modelFolder = locateModel(encoder, settings.modelsDir).folder
  for (const { name: dataset } of catalogue.datasets()) {
    const common = { catalogue, encoder: await encoders.get(encoder), modelFolder }
    await buildEmbeddings({ ...common, dataset, embeddingsDir: settings.embeddingsDir })
  }
  const described = await readDescriptions(
    project('bench/data/descriptions.jsonl'),
    catalogue,
    undefined,
  )
  const columns = catalogue
    .datasets()
    .flatMap((info) =>
      [...info.columns.keys()].map((column) => columnItems(catalogue, info, column)),
    )
  sets = [...described.sets, ...columns]
  await search.close()
  await encoders.close()
})

afterAll(() => rmSync(folder, { recursive: true }))

/** MRR@10 of a set by the modes alone, and of what /search answers. */
async function mrrOf(set: ItemSet) {
  const search = await openSearch(settings, { without: set.without })
  const searcher = createSearcher(search)
  const measureAll = (choice: Pick<Choice, 'modes' | 'rerankers'>) =>
    measure(set, { models: [encoder], ...choice }, searcher, () => undefined)
  try {
    const alone = await measureAll({ modes, rerankers: [null] })
    const ranked = await measureAll({ modes: ['hybrid'], rerankers: [ranker] })
    return {
      alone: alone.systems.map(({ mrrAt10 }) => mrrAt10.value),
      ranked: ranked.systems[0]?.mrrAt10.value ?? 0,
    }
  } finally {
    await search.close()
  }
}

test('descriptions find their entries among the 354 of the sample', async () => {
  const descriptions = sets.filter(({ without }) => without === undefined)
  expect(descriptions.map(({ items }) => items.length)).toEqual([36, 35])
  for (const set of descriptions) {
    const { alone, ranked } = await mrrOf(set)
    expect(alone).toHaveLength(3)
    expect(Math.min(...alone)).toBeGreaterThan(0.9)
    expect(ranked).toBeGreaterThan(0.95)
  }
})

test(
  'loglines find synopses, synopses find loglines, and the ranker is worth its while',
  { tags: ['nightly'] },
  async () => {
    const columns = sets.filter(({ without }) => without !== undefined)
    expect(columns.map(({ items }) => items.length)).toEqual([185, 185, 169, 169])
    for (const set of columns) {
      const { alone, ranked } = await mrrOf(set)
      expect(ranked).toBeGreaterThan(0.8)
      expect(ranked).toBeGreaterThan(Math.max(...alone))
    }
  },
)

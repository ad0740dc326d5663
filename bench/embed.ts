/** Building embeddings with the built-in model, compared with the encoder alone over the same texts. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Catalogue, DatasetInfo } from '#synoptic/data/catalogue/catalogue.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { buildEmbeddings } from '#synoptic/data/embed/build.js'
import { openEmbeddings } from '#synoptic/data/embed/open-embeddings.js'
import type { Encoder } from '#synoptic/models/encoders/encoder.js'
import { createEncoders } from '#synoptic/models/residency/encoders.js'
import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'
import { modelRevision } from '#synoptic/models/format/revision.js'
import type { Trial } from './trial.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const data = process.env.SYNOPTIC_TEST_DATA ?? join(project, '../shared/data')
const real = ['anime4500', 'anime/08-anime-data', 'mal-manga-3000'].map(
  (name) => `data/sources/${name}.json`,
)
const sample = ['data/sample/anime.json', 'data/sample/manga.json']
const model = requireInstalled('builtin/static-en', { modelsDir: '' })

export const trial: Trial = {
  words: ['embed', 'build'],
  summary: 'Building the embeddings of a catalogue with the built-in model.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  const encoders = createEncoders()
  try {
    const isReal = existsSync(join(data, 'anime4500.csv'))
    const into = join(folder, 'catalogue.sqlite')
    const mappings = (isReal ? real : sample).map((path) => join(project, path))
    await importDatasets(mappings, { into, ...(isReal ? { from: data } : {}) })
    const catalogue = openCatalogue(into)
    const encoder = await encoders.get(model)
    for (const dataset of catalogue.datasets()) {
      await timeBuild(print, join(folder, 'embeddings'), catalogue, dataset, encoder)
    }
    catalogue.close()
  } finally {
    await encoders.close()
    rmSync(folder, { recursive: true })
  }
}

async function timeBuild(
  print: (line: string) => void,
  embeddingsDir: string,
  catalogue: Catalogue,
  dataset: DatasetInfo,
  encoder: Encoder,
): Promise<void> {
  const options = {
    catalogue,
    encoder,
    modelFolder: model.folder,
    embeddingsDir,
    dataset: dataset.name,
  }
  const texts = dataset.columns.flatMap((_, column) =>
    [...catalogue.texts(dataset.name, column)].map(({ text }) => text),
  )
  const alone = await timed(() => encoder.encode([...new Set(texts)], { priority: 'bulk' }))
  const first = await timed(() => buildEmbeddings(options))
  const again = await timed(() => buildEmbeddings(options))
  if (again.result.encoded > 0) throw new Error('a second build encoded texts again')
  const revision = await modelRevision(model.folder)
  const query = { embeddingsDir, dataset, model: model.name, revision }
  const opening = await timed(() => openEmbeddings(query))
  print(
    `${dataset.name}: ${first.result.encoded} texts in ${first.ms} ms; ` +
      `baseline, the encoder alone ${alone.ms} ms; ` +
      `with nothing to do ${again.ms} ms; opening ${opening.ms} ms`,
  )
}

async function timed<T>(task: () => Promise<T>): Promise<{ result: T; ms: string }> {
  const start = performance.now()
  const result = await task()
  return { result, ms: (performance.now() - start).toFixed(1) }
}

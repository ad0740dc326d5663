/** The readers of both datasets on the built-in catalogue, imported once a folder. */
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalogue } from '../../dist/data/catalogue/open-catalogue.js'
import { createKnowledge } from '../../dist/search/knowledge/dataset-knowledge.js'
import { flags, run } from '../fit-ranker/prepare-works.js'

/** @param work a folder that is kept; a temporary one if it is not given */
export async function openReaders(work = process.env.READER_WORK) {
  const folder = work ?? join(tmpdir(), `synoptic-reader-${process.pid}`)
  const places = { dataDir: join(folder, 'data'), embeddingsDir: join(folder, 'embeddings') }
  mkdirSync(folder, { recursive: true })
  if (!existsSync(places.dataDir))
    run(
      'dist/cli.js',
      'data',
      'import',
      'data/works/anime.json',
      'data/works/manga.json',
      ...flags(places),
    )
  const catalogue = openCatalogue(join(places.dataDir, 'catalogue.sqlite'))
  const open = createKnowledge(catalogue)
  const knowledge = (dataset) => open(catalogue.dataset(dataset))
  return {
    knowledge,
    interpret: async (dataset, query, ignored = []) =>
      (await knowledge(dataset)).interpret(query, ignored),
    close: () => catalogue.close(),
  }
}

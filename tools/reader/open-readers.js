/** The readers of both datasets on the built-in catalogue, imported and embedded once a folder. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSearch } from '../../dist/composition/open-search.js'
import { prepareWorks, searchSettings } from '../fit-ranker/prepare-works.js'

/** @param work a folder that is kept; a temporary one if it is not given */
export async function openReaders(work = process.env.READER_WORK) {
  const folder = work ?? join(tmpdir(), `synoptic-reader-${process.pid}`)
  const places = prepareWorks({
    work: folder,
    'models-dir': 'models',
    encoders: ['builtin/static-en'],
  })
  const settings = await searchSettings(places)
  const search = await openSearch({ ...settings, searchEncoder: 'builtin/static-en' })
  const readers = new Map()
  const readerOf = async (dataset) => {
    if (!readers.has(dataset))
      readers.set(dataset, await search.knowledge(search.catalogue.dataset(dataset)))
    return readers.get(dataset)
  }
  return {
    search,
    interpret: async (dataset, query, ignored = []) =>
      (await readerOf(dataset)).interpret(query, ignored),
    close: () => search.close(),
  }
}

/** What a search opens is closed again where it cannot be opened whole. */
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { Catalogue } from '#synoptic/data/catalogue/catalogue.js'
import { catalogueFile } from '#synoptic/data/catalogue/open-catalogue.js'
import { openSearch } from '#synoptic/search/composition/open-search.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { serverSettings } from '#synoptic/base/config/settings.js'
import { build, row, useFolder } from '../catalogue/shelf.js'

const folder = useFolder()
build(catalogueFile(folder), { name: 'anime', columns: ['synopsis'], rows: [row(1)] })
const settingsOf = (...flags: string[]) => {
  const folders = ['models', 'embeddings'].map((name) => `--${name}-dir=${join(folder, name)}`)
  return readSettings(serverSettings, [`--data-dir=${folder}`, ...folders, ...flags], {}).settings
}

it('closes the catalogue and the lists where the vectors cannot be opened', async () => {
  const close = vi.fn()
  let opened: Catalogue | undefined
  const missing = join(folder, 'no-ca.pem')
  const opening = openSearch(settingsOf('--index=opensearch', `--index-ca=${missing}`), {
    openLists(catalogue) {
      opened = catalogue
      return { lookUp: () => Promise.resolve(undefined), close }
    },
  })
  await expect(opening).rejects.toThrow(missing)
  expect(close).toHaveBeenCalledOnce()
  expect(() => opened?.entry('anime', 0)).toThrow(expect.objectContaining({ code: 'closed' }))
})

it('closes the catalogue where the lists cannot be opened', async () => {
  let opened: Catalogue | undefined
  const opening = openSearch(settingsOf(), {
    openLists(catalogue) {
      opened = catalogue
      throw new Error('no lists')
    },
  })
  await expect(opening).rejects.toThrow('no lists')
  expect(() => opened?.entry('anime', 0)).toThrow(expect.objectContaining({ code: 'closed' }))
})

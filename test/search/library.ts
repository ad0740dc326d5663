/** Searches as a server has them, over a user's catalogue and the built-in encoder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCatalogue } from '#synoptic/data/catalogue/build-catalogue.js'
import { catalogueFile } from '#synoptic/data/catalogue/open-catalogue.js'
import type { DatasetContents } from '#synoptic/data/catalogue/contents.js'
import type { DatasetInfo, DatasetName } from '#synoptic/data/catalogue/catalogue.js'
import { serverSettings, type ServerSettings } from '#synoptic/base/config/settings.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { buildEmbeddings } from '#synoptic/data/embed/build.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import { resolveModel } from '#synoptic/models/registry/resolve-model.js'
import { type OpenSearch, openSearch } from '#synoptic/search/composition/open-search.js'
import { afterAll } from 'vitest'

export interface Library {
  readonly settings: ServerSettings
  readonly search: OpenSearch
  readonly dataset: (name: DatasetName) => DatasetInfo
}

/** Closed after the file's tests. */
export async function openLibrary(
  contents: readonly DatasetContents[],
  { isEmbedded = true, flags = [] as readonly string[] } = {},
): Promise<Library> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-library-'))
  const folders = [
    `--data-dir=${folder}`,
    ...['models', 'embeddings'].map((name) => `--${name}-dir=${join(folder, name)}`),
  ]
  const { settings } = readSettings(serverSettings, [...folders, '--workers=1', ...flags], {})
  buildCatalogue(catalogueFile(settings.dataDir), contents)
  const search = await openSearch(settings)
  afterAll(async () => {
    await search.close()
    rmSync(folder, { recursive: true, force: true })
  })
  if (isEmbedded) for (const { name } of contents) await embedLibrary(name, settings, search)
  return {
    settings,
    search,
    dataset(name) {
      const info = search.catalogue.dataset(name)
      if (info === undefined) throw new Error(`no ${name}`)
      return info
    },
  }
}

/** Embeds a dataset with the encoder that ships. */
export async function embedLibrary(
  dataset: DatasetName,
  { embeddingsDir, modelsDir }: ServerSettings,
  { catalogue, models }: OpenSearch,
): Promise<void> {
  const { folder: modelFolder } = resolveModel(builtinModel, { modelsDir })
  await models.use(builtinModel, (encoder) =>
    buildEmbeddings({ catalogue, encoder, modelFolder, dataset, embeddingsDir }),
  )
}

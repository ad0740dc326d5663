/**
 * What ships, queried by descriptions as people write them for manga among MyAnimeList's 2,996 most read:
 * floors below the figures of bench/results/quality. From SYNOPTIC_TEST_DATA or ../shared/data; skipped aloud where
 * that is not.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalogueFile } from '#synoptic/data/catalogue/open-catalogue.js'
import { serverSettings } from '#synoptic/base/config/settings.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { buildEmbeddings } from '#synoptic/data/embed/build.js'
import { readDescriptions } from '#synoptic/search/eval/descriptions.js'
import type { ItemSet } from '#synoptic/search/eval/known-items.js'
import { measure } from '#synoptic/search/eval/measure.js'
import { createSearcher } from '#synoptic/search/eval/searcher.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import { resolveModel } from '#synoptic/models/registry/resolve-model.js'
import { openSearch } from '#synoptic/search/composition/open-search.js'
import { builtinRanker } from '#synoptic/search/ranking/builtin-ranker.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const project = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const data = process.env.SYNOPTIC_TEST_DATA ?? project('../shared/data')
const isThere = existsSync(join(data, 'mal_manga_3000.csv'))
if (!isThere) console.warn('SKIPPED descriptions of real manga: set SYNOPTIC_TEST_DATA')

describe.skipIf(!isThere)('descriptions of real manga', () => {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-real-eval-'))
  const { settings } = readSettings(
    serverSettings,
    [`--data-dir=${folder}`, `--embeddings-dir=${join(folder, 'embeddings')}`, '--workers=1'],
    {},
  )
  let sets: readonly ItemSet[]

  beforeAll(async () => {
    const mapping = project('data/sources/mal-manga-3000.json')
    await importDatasets([mapping], { from: data, into: catalogueFile(folder) })
    const search = await openSearch(settings)
    const { catalogue, models } = search
    const { embeddingsDir } = settings
    const { folder: modelFolder } = resolveModel(builtinModel, settings)
    await models.use(builtinModel, (encoder) =>
      buildEmbeddings({ catalogue, encoder, modelFolder, dataset: 'manga', embeddingsDir }),
    )
    const file = project('bench/data/descriptions.jsonl')
    sets = (await readDescriptions(file, catalogue, 'manga')).sets
    await search.close()
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Of the half that nothing was fitted to. */
  const mrrAt = async (popularity: number) => {
    const search = await openSearch({ ...settings, popularity })
    const [set] = sets.filter(({ name }) => name.endsWith('report'))
    if (set === undefined) throw new Error('no descriptions to report')
    const choice = {
      models: [builtinModel],
      modes: ['hybrid' as const],
      rerankers: [builtinRanker],
    }
    const { systems } = await measure(set, choice, createSearcher(search), () => undefined)
    await search.close()
    return systems[0]?.mrrAt10.value ?? 0
  }

  test('find the right work, and lose little by the prior on what many know', async () => {
    const [without, shipped] = [await mrrAt(0), await mrrAt(settings.popularity)]
    expect(without).toBeGreaterThan(0.8)
    expect(shipped).toBeGreaterThan(without - 0.02)
  })
})

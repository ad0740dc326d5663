/** A merge makes again only what has changed. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildCatalogue } from '#synoptic/data/catalogue/build-catalogue.js'
import { readContents } from '#synoptic/data/catalogue/contents.js'
import { catalogueFile, openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { buildEmbeddings } from '#synoptic/data/embed/build.js'
import { journalFile, lineOf } from '#synoptic/data/writes/journal.js'
import { mergeWrites } from '#synoptic/data/writes/merge-writes.js'
import { createEncoders } from '#synoptic/models/residency/encoders.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import { resolveModel } from '#synoptic/models/registry/resolve-model.js'
import type { Encoder } from '#synoptic/models/encoders/encoder.js'
import { row } from '../catalogue/shelf.js'
import { openLibrary } from '../search/library.js'

const words = ['lighthouse', 'baker', 'robot', 'harbour', 'letter', 'winter', 'violin', 'planet']
const textOf = (n: number) =>
  [0, 1, 2, 3].map((i) => words[(n * 3 + i * (n + 1)) % words.length]).join(' ')
const rowsFrom = (first: number) =>
  Array.from({ length: 40 }, (_, i) =>
    row(first + i, { texts: [textOf(i), i % 3 ? textOf(i + 50) : null] }),
  )
const contents = (['anime', 'manga'] as const).map((name, at) => ({
  name,
  columns: ['synopsis', 'scenes'],
  rows: rowsFrom(1 + at * 100),
}))
const put = {
  kind: 'put',
  dataset: 'anime',
  entries: [{ id: 7, title: 'New', facts: {}, texts: { synopsis: 'a new violin' } }],
} as const

describe('a merge', () => {
  it('copies the index of rows of a dataset that has not changed, and builds the other as an import does', async () => {
    const { settings } = await openLibrary(contents)
    const { dataDir } = settings
    const indexOf = (name: string) => {
      const file = readdirSync(dataDir).find((one) => one.includes(`.${name}-`)) ?? 'no index'
      return readFileSync(join(dataDir, file))
    }
    const before = indexOf('manga')
    writeFileSync(journalFile(dataDir), lineOf({ seq: 1, at: 'now', operation: put }))
    await mergeWrites(settings)
    expect(indexOf('manga').equals(before)).toBe(true)
    const merged = openCatalogue(catalogueFile(dataDir))
    buildCatalogue(
      join(dataDir, 'again.sqlite'),
      merged.datasets().flatMap(({ name }) => readContents(merged, name) ?? []),
    )
    const again = readdirSync(dataDir).find((one) => one.startsWith('again.sqlite.anime-')) ?? ''
    expect(indexOf('anime').equals(readFileSync(join(dataDir, again)))).toBe(true)
    merged.close()
  })
})

describe('a build of embeddings', () => {
  it('tokenizes new texts alone, and writes the same files as one that tokenizes all', async () => {
    const { settings } = await openLibrary(contents)
    const { dataDir, modelsDir, embeddingsDir } = settings
    const file = catalogueFile(dataDir)
    const encoders = createEncoders({ isBulk: true })
    const model = resolveModel(builtinModel, { modelsDir })
    const real = await encoders.get(model)
    const tokenized: string[] = []
    const encoder: Encoder = {
      ...real,
      tokenize: (texts, options) => {
        tokenized.push(...texts)
        return real.tokenize(texts, options)
      },
    }
    buildCatalogue(
      file,
      contents.map((one) => ({
        ...one,
        rows: one.rows.map((old, at) =>
          at === 6 ? { ...old, texts: ['a new violin', old.texts[1] ?? null] } : old,
        ),
      })),
    )
    const catalogue = openCatalogue(file)
    const build = async (force: boolean) => {
      await buildEmbeddings({
        catalogue,
        encoder,
        modelFolder: model.folder,
        dataset: 'anime',
        embeddingsDir,
        force,
      })
      const folder = join(embeddingsDir, 'anime', builtinModel)
      const files = readdirSync(folder).filter((name) => name.endsWith('.tokens'))
      return files.map((name) => readFileSync(join(folder, name)).toString('base64'))
    }
    try {
      const reused = await build(false)
      expect(tokenized).toEqual(['a new violin'])
      const all = await build(true)
      expect(tokenized.length).toBeGreaterThan(40)
      expect(reused).toEqual(all)
      expect(reused).toHaveLength(2)
    } finally {
      catalogue.close()
      await encoders.close()
    }
  })
})

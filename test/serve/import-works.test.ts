import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { withBuildLock } from '#synoptic/util/build-lock.js'
import { openCatalogue } from '#synoptic/catalogue/open-catalogue.js'
import { readSettings } from '#synoptic/config/read.js'
import { commonSettings, serverSettings, settingNames } from '#synoptic/config/settings.js'
import { findEmbeddings } from '#synoptic/index/open-index.js'
import { importWorks } from '#synoptic/serve/import-works.js'
import { expect, onTestFinished, test } from 'vitest'
import { sampleFolder } from './sample.js'

test('the works are imported by one process at a time, which nobody disturbs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-first-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'catalogue.sqlite')
  const aside = `${file}.first-start`
  const { settings } = readSettings(commonSettings, ['--data-dir', folder], {}, settingNames)
  const start = () => importWorks(file, settings, pino({ level: 'silent' }))
  await withBuildLock(`${file}.starting`, async () => {
    writeFileSync(aside, 'imported, its embeddings are being built')
    await expect(start()).rejects.toThrow(/another process is building this catalogue/)
    expect(existsSync(aside)).toBe(true)
    writeFileSync(file, 'whole')
  })
  // Whoever comes after it finds what it has made.
  await start()
  expect(existsSync(aside)).toBe(true)
})

/** Which models the first start of a server with a search encoder builds embeddings with. */
async function builtWith(...words: string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-first-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const folders = ['data', 'embeddings'].map((name) => `--${name}-dir=${join(folder, name)}`)
  const { settings } = readSettings(serverSettings, [...folders, ...words], {})
  mkdirSync(settings.dataDir)
  const mappings = [join(sampleFolder, 'manga.json')]
  const file = join(settings.dataDir, 'catalogue.sqlite')
  await importWorks(file, settings, pino({ level: 'silent' }), mappings)
  const catalogue = openCatalogue(file)
  onTestFinished(() => catalogue.close())
  const [dataset] = catalogue.datasets()
  if (dataset === undefined) throw new Error('nothing was imported')
  const models = ['builtin/static-en', 'builtin/minilm-anime']
  const found = await Promise.allSettled(
    models.map((model) => findEmbeddings(settings, dataset, model)),
  )
  return models.filter((_, i) => found[i]?.status === 'fulfilled')
}

test('the works are embedded by the encoder of /search that is named, too', async () => {
  const both = ['builtin/static-en', 'builtin/minilm-anime']
  expect(await builtWith('--search-encoder', 'builtin/minilm-anime')).toEqual(both)
})

test.each(['auto', 'builtin/static-en', 'encoders/all-MiniLM-L6-v2'])(
  'and by the built-in model alone where that is %s',
  async (encoder) => {
    expect(await builtWith('--search-encoder', encoder)).toEqual(['builtin/static-en'])
  },
)

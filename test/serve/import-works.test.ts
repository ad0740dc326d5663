import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { withBuildLock } from '#synoptic/base/util/build-lock.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { commonSettings, serverSettings, settingNames } from '#synoptic/base/config/settings.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { findEmbeddings } from '#synoptic/search/index/open-index.js'
import { prepareFirstStart } from '#synoptic/server/serve/first-start.js'
import { importWorks } from '#synoptic/server/serve/import-works.js'
import { packageRoot } from '#synoptic/base/util/package-root.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { importAllWorks, sampleFolder } from './sample.js'

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
  // A later process finds what it has made.
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
    models.map((model) => findEmbeddings(settings, dataset, requireInstalled(model, settings))),
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

describe('a catalogue that a first start has made', () => {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-renewed-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const place = (name: string) => join(folder, name)
  const file = join(place('data'), 'catalogue.sqlite')
  const words = ['--data-dir', place('data'), '--embeddings-dir', place('embeddings')]
  const { settings } = readSettings(serverSettings, words, {})
  const said: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void said.push(line) })

  /** Whether a start replaces the catalogue. */
  async function isReplaced(): Promise<boolean> {
    const before = statSync(file).ino
    await prepareFirstStart(settings, logger)
    return statSync(file).ino !== before
  }
  const states = () => {
    const catalogue = openCatalogue(file)
    try {
      return catalogue
        .datasets()
        .flatMap(({ name }) => catalogue.origins(name).map(({ state }) => state))
    } finally {
      catalogue.close()
    }
  }
  const other = 'first start of another version'
  /** Imports less of each work, as another version's first start would, or somebody with a command. */
  const importAs = (state: string | null, ...datasets: readonly string[]) => {
    const mappings = datasets.map((dataset) => {
      const mapping = place(`less-${dataset}.json`)
      const fields = { id: 'mal', title: 'titles.romaji' }
      const texts = { synopsis: 'synopsis' }
      const file = { description: 'fewer facts', file: `${dataset}.jsonl`, format: 'jsonl' }
      writeFileSync(mapping, JSON.stringify({ dataset, ...file, fields, texts }))
      return mapping
    })
    const from = join(packageRoot, 'data/works')
    return importDatasets(mappings, { into: file, from, stateOf: () => state })
  }
  const ofAnotherVersion = place('another.sqlite')
  const useOther = () => copyFileSync(ofAnotherVersion, file)

  let own: ReturnType<typeof states>
  beforeAll(async () => {
    await importAllWorks(folder)
    own = states()
    copyFileSync(file, place('own.sqlite'))
    await importAs(other, 'anime', 'manga')
    renameSync(file, ofAnotherVersion)
    renameSync(place('own.sqlite'), file)
  })

  it('stays while the works are the same', async () => {
    expect(await isReplaced()).toBe(false)
  })

  it('gives way to the works of another version', async () => {
    useOther()
    expect(await isReplaced()).toBe(true)
    expect(states()).toEqual(own)
    expect(said.join('')).toContain('has the works of another version')
  })

  it('stays where another process is replacing it, and a warning says so', async () => {
    useOther()
    await withBuildLock(`${file}.starting`, async () => {
      expect(await isReplaced()).toBe(false)
    })
    expect(said.join('')).toContain('those of another stay')
  })

  it('stays where a dataset of it was imported otherwise', async () => {
    useOther()
    await importAs(null, 'manga')
    expect(states()).toEqual([other, null])
    expect(await isReplaced()).toBe(false)
  })

  it('stays where entries of it were updated', async () => {
    useOther()
    const mapping = join(folder, 'own.json')
    writeFileSync(
      join(folder, 'own.csv'),
      'id,title,text\n1,Cowboy Bebop,Bounty hunters drift through space.\n',
    )
    writeFileSync(
      mapping,
      JSON.stringify({
        dataset: 'anime',
        description: 'mine',
        file: 'own.csv',
        format: 'csv',
        fields: { id: 'id', title: 'title' },
        texts: { synopsis: 'text' },
      }),
    )
    await importDatasets([mapping], { into: file, update: true })
    expect(states()).toEqual([null, other])
    expect(await isReplaced()).toBe(false)
  })
})

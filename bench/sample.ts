/** The small sample of data/sample as the data of a server that is started in a folder. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { catalogueFile } from '#synoptic/data/catalogue/open-catalogue.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { commonSettings } from '#synoptic/base/config/settings.js'
import { importWorks } from '#synoptic/server/serve/import-works.js'

const mappings = ['anime.json', 'manga.json'].map((name) =>
  fileURLToPath(new URL(`../../data/sample/${name}`, import.meta.url)),
)

export async function importSample(folder: string): Promise<void> {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { recursive: true })
  const words = ['--data-dir', dataDir, '--embeddings-dir', join(folder, 'embeddings')]
  const { settings } = readSettings(commonSettings, words, {})
  await importWorks(catalogueFile(dataDir), settings, pino({ level: 'silent' }), mappings)
}

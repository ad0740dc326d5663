/** The small sample of data/sample as a server's data, and all included works; imported once a run. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyMadeOnce } from '../helpers/made-once.js'
import { sharedServer, type SharedServer } from '../helpers/shared.js'
import { startServer, type ServerChild } from './child.js'

export const sampleFolder = fileURLToPath(new URL('../../data/sample', import.meta.url))
const mappings = ['anime.json', 'manga.json'].map((name) => join(sampleFolder, name))

/** Puts the sample and its embeddings where a server that is started in the folder looks for them. */
export const importSample = (folder: string): Promise<void> =>
  copyMadeOnce('sample', folder, (made) => importInto(made, mappings))

/** The same with all included works. */
export const importAllWorks = (folder: string): Promise<void> =>
  copyMadeOnce('works', folder, (made) => importInto(made))

/** All but maps, which take seven seconds to make. */
const groups =
  'searchmodel,search,similar,browse,page,feedback,models,v1,mcp,docs,health,metrics,status'

/** A server with all included works, which several files read. */
export const worksServer = (): Promise<SharedServer> => {
  const words = ['--workers', '1', '--rate-limit', '0', '--enable-routes', groups]
  return sharedServer('works', words, importAllWorks)
}

async function importInto(folder: string, mappings?: readonly string[]): Promise<void> {
  // Most files find the folder made, and need none of these.
  const { readSettings } = await import('#synoptic/base/config/read.js')
  const { commonSettings, settingNames } = await import('#synoptic/base/config/settings.js')
  const { importWorks } = await import('#synoptic/server/serve/import-works.js')
  const place = (name: string) => join(folder, name)
  mkdirSync(place('data'), { recursive: true })
  const words = ['--data-dir', place('data'), '--embeddings-dir', place('embeddings')]
  const { settings } = readSettings(commonSettings, words, {}, settingNames)
  const file = join(settings.dataDir, 'catalogue.sqlite')
  const { default: pino } = await import('pino')
  await importWorks(file, settings, pino({ level: 'silent' }), mappings)
}

/** A server on the sample. */
export async function startOnSample(
  folder: string,
  words: readonly string[] = [],
): Promise<ServerChild> {
  await importSample(folder)
  return startServer(folder, words)
}

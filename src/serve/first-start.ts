/**
 * The first start: a server without a catalogue gets the sample that ships with the program, and its
 * embeddings by the built-in model. The catalogue appears last, so a start that is killed starts over.
 */
import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import { catalogueFile } from '../catalogue/open-catalogue.js'
import type { Settings } from '../config/settings.js'

/** Does nothing where there is a catalogue. */
export async function prepareFirstStart(settings: Settings, logger: Logger): Promise<void> {
  const file = catalogueFile(settings.dataDir)
  if (existsSync(file)) return
  // A third of the program, which the other starts do without.
  const { importSample } = await import('./import-sample.js')
  await importSample(file, settings, logger)
}

/**
 * The first start: a server without a catalogue imports the built-in works and builds their embeddings. The
 * catalogue appears last, so a killed start begins again. Maps of the works are made later, while the server runs. The
 * first start of a version with other works does the same, unless something was imported since.
 */
import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import { workDatasets } from '../../data/catalogue/catalogue.js'
import { catalogueFile } from '../../data/catalogue/open-catalogue.js'
import { CatalogueError } from '../../base/errors/index.js'
import { mapFolder } from '../../search/map/build-map.js'
import { requestMap } from '../../search/map/map-file.js'
import { builtinModel } from '../../models/registry/registry.js'
import { danglingTarget } from '../../base/util/follow-link.js'
import type { FirstStartSettings } from './import-works.js'
import { holdsOtherWorks } from './works-state.js'

/**
 * Does nothing if there is a catalogue, but for one with the works of another version; where these cannot be replaced, they
 * stay.
 * @throws CatalogueError where the catalogue is a link to a file that is not there: a volume may not be mounted
 */
export async function prepareFirstStart(
  settings: FirstStartSettings,
  logger: Logger,
): Promise<void> {
  const file = catalogueFile(settings.dataDir)
  if (existsSync(file)) return renewWorks(file, settings, logger)
  const target = danglingTarget(file)
  if (target !== undefined)
    throw new CatalogueError(
      'unmounted',
      file,
      `it links to ${target}, which is not there; mount that folder, or remove the link`,
    )
  // Loads a third of the program, which later starts do not need.
  const { importWorks } = await import('./import-works.js')
  await importWorks(file, settings, logger)
  // The server makes them once it is ready.
  for (const dataset of workDatasets) {
    const folder = mapFolder(settings, dataset, builtinModel)
    if (existsSync(folder)) await requestMap(folder)
  }
}

async function renewWorks(
  file: string,
  settings: FirstStartSettings,
  logger: Logger,
): Promise<void> {
  if (!holdsOtherWorks(file)) return
  try {
    const { importWorks } = await import('./import-works.js')
    await importWorks(file, settings, logger)
  } catch (err) {
    logger.warn({ err }, 'the works of this version cannot be imported; those of another stay')
  }
}

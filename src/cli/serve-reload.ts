/** SIGHUP of `synoptic serve`: a reload, or the end of a terminal. */
import { closeSync, openSync } from 'node:fs'
import type { Logger } from 'pino'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import type { ServerSettings } from '../base/config/settings.js'
import {
  describeInventory,
  logFaults,
  takeInventory,
  type Inventory,
} from '../search/composition/inventory.js'
import { locationOf, openVectorSource } from '../search/composition/vector-source.js'
import { readModelNames } from '../models/registry/registry.js'

interface Reloadable {
  reload(): Promise<unknown>
  /** Reads the key file again, whatever comes of the data. */
  reloadKeys(): void
}

export async function inventoryOf(settings: ServerSettings): Promise<Inventory> {
  readModelNames(settings)
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  const location = locationOf(settings)
  const vectors = await openVectorSource(location)
  try {
    return await takeInventory(catalogue, location, vectors)
  } finally {
    await vectors.close()
    catalogue.close()
  }
}

interface ReloadOptions {
  readonly settings: ServerSettings
  readonly logger: Logger
  readonly onReloaded: () => void
}

/**
 * SIGHUP reloads what is on disk, or logs an error. Signals during a reload lead to one more reload
 * after it. The keys do not wait for the data: a revoked key ends now, even where the new data are broken.
 * @returns a function that reloads likewise
 */
export function reloadOnHangUp(
  server: Reloadable,
  { settings, logger, onReloaded }: ReloadOptions,
): () => void {
  let reloading = Promise.resolve()
  let isReloadPending = false
  const reload = async () => {
    isReloadPending = false
    try {
      await server.reload()
      const inventory = await inventoryOf(settings)
      logger.info({ serves: describeInventory(inventory) }, 'reloaded')
      logFaults(inventory, logger)
      onReloaded()
    } catch (error) {
      logger.error({ err: error }, 'the reload failed; serving the old data')
    }
  }
  const request = () => {
    if (isReloadPending) return
    isReloadPending = true
    reloading = reloading.then(reload)
  }
  process.on('SIGHUP', () => {
    if (hasLostTerminal()) return
    server.reloadKeys()
    request()
  })
  return request
}

/** A closed terminal sends SIGHUP too; the server then stops. */
export function hasLostTerminal(): boolean {
  if (!process.stderr.isTTY) return false
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return false
  } catch {
    return true
  }
}

/** Composition: which parts a serving process is made of, and in which order they start and stop. */
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { catalogueFile, openCatalogue } from './catalogue/open-catalogue.js'
import type { ServerSettings } from './config.js'
import { createEncoders } from './encoders/encoders.js'
import { builtinModel } from './first-start.js'
import { createHealth } from './health.js'
import { createApp } from './http/app.js'
import type { RateStore } from './http/middleware/rate-limit.js'
import { listen } from './http/server.js'
import { takeInventory, type Inventory } from './inventory.js'
import { listModels, modelNames } from './models/catalogue.js'
import { listCrossEncoders } from './models/cross-encoders.js'
import { fineTunedFolder } from './models/fine-tuned.js'
import { createModelCache } from './models/model-cache.js'
import { createModelList } from './models/model-list.js'
import { modelMemoryLimit } from './models/model-memory.js'
import { createOpenCollection } from './search/embeddings.js'
import { createModels, type Models } from './search/models.js'
import { createSearchService } from './search/service.js'
import { createCollectionStore, type CollectionStore } from './search/store.js'
import { setScanThreads, threadsOf } from './threads.js'

export interface Server {
  readonly address: AddressInfo
  /** What it could search when it started. */
  readonly inventory: Inventory
  /** Lets requests finish for at most that long, then closes all. */
  stop(graceMs: number): Promise<void>
}

export interface StartOptions {
  readonly logger: Logger
  readonly rateStore: RateStore
}

/** @throws CatalogueError, ListenError */
export async function start(
  settings: ServerSettings,
  { logger, rateStore }: StartOptions,
): Promise<Server> {
  setScanThreads(settings)
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  const { modelsDir, modelMemoryLimit: limitMiB, workers } = settings
  const encoders = createEncoders({ modelsDir, threads: threadsOf(settings) })
  const cache = createModelCache(modelMemoryLimit(limitMiB, workers))
  const collections = createCollectionStore(createOpenCollection(settings))
  const models = createModels({ encoders, cache, modelsDir })
  const search = createSearchService({ catalogue, collections, models })
  const close = async () => {
    collections.close()
    await encoders.close()
    await cache.close()
    catalogue.close()
  }
  try {
    const inventory = await takeInventory(catalogue, settings)
    const health = createHealth({ catalogue, collections, place: settings, inventory })
    const modelList = createModelList({
      categories: {
        'Semantic Search': () => listCrossEncoders(settings),
        'Similarity models': () => listModels(settings),
      },
      fineTunedDir: fineTunedFolder(settings),
    })
    const app = createApp({
      search,
      health,
      models: modelNames(),
      modelList,
      logger,
      settings,
      rateStore,
    })
    const http = await listen(app, settings)
    const idle = releaseIdle(settings.idleTimeout, [cache, collections], logger)
    void warmUp(inventory, models, collections, logger)
    return {
      address: http.address,
      inventory,
      async stop(graceMs) {
        health.stopping()
        clearInterval(idle)
        await http.stop(graceMs)
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Idle {
  closeIdle(idleMs: number): readonly string[]
}

/** The first request would wait for the built-in model otherwise. */
async function warmUp(
  { datasets }: Inventory,
  models: Models,
  collections: CollectionStore,
  logger: Logger,
): Promise<void> {
  try {
    for (const dataset of datasets) {
      if (!dataset.models.includes(builtinModel)) continue
      const touch = () => Promise.resolve()
      await models.use(builtinModel, () => collections.use(dataset, builtinModel, touch))
    }
  } catch (error) {
    // A stop may have come first; what is really wrong is told to the request that needs it.
    logger.debug({ err: error }, 'warming up failed')
  }
}

/** Looks four times within the time, and at least once a minute. */
function releaseIdle(
  idleTimeout: number,
  pools: readonly Idle[],
  logger: Logger,
): NodeJS.Timeout | undefined {
  if (idleTimeout === 0) return undefined
  const look = () => {
    const released = pools.flatMap((pool) => pool.closeIdle(idleTimeout * 1000))
    if (released.length > 0) logger.info({ released }, 'released what was idle')
  }
  return setInterval(look, Math.min(idleTimeout * 250, 60_000)).unref()
}

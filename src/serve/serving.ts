/**
 * What a server answers with: a catalogue, the embeddings that match it, models, and the app over all of
 * it. A reload makes another one beside it and swaps; nothing is shared, so whatever was replaced on
 * disk is read anew, and for a moment both are in memory.
 */
import { existsSync } from 'node:fs'
import type { HttpBindings } from '@hono/node-server'
import type { Logger } from 'pino'
import type { Catalogue, DatasetName } from '../catalogue/catalogue.js'
import type { ServerSettings } from '../config/settings.js'
import { embeddingPaths } from '../embed/paths.js'
import { createHealth } from './health-report.js'
import { createAdmission } from '../http/admission.js'
import { createApp, type AppServices } from '../http/app.js'
import { createFrontDoor, type FrontDoor } from '../http/front-door.js'
import { takeInventory, type Inventory } from '../composition/inventory.js'
import type { State } from '../observability/metrics.js'
import { listModels, readModelNames } from '../models/registry.js'
import { listCrossEncoders } from '../models/cross-encoders.js'
import { fineTunedFolder } from '../models/fine-tuned.js'
import { createModelList } from '../models/model-list.js'
import { openSearch } from '../composition/open-search.js'
import { createUserLists, type UserLists } from '../anilist/user-lists.js'

export interface Serving {
  readonly inventory: Inventory
  /** Asked before `fetch`. */
  readonly frontDoor: FrontDoor
  fetch(request: Request, bindings: Partial<HttpBindings>): Promise<Response>
  /** Datasets and models that are in memory. */
  opened(): Opened[]
  /** Loads what the first request for these would wait for; what cannot be loaded is logged. */
  warmUp(wanted: readonly Opened[]): Promise<void>
  /** Releases what nobody has used within that time; answers what it was. */
  closeIdle(idleMs: number): readonly string[]
  /** What it holds now, for the metrics. */
  state(): State
  /** From here on the health is `stopping`. */
  stopping(): void
  /** Resolves when no request is being answered. */
  drained(): Promise<void>
  close(): Promise<void>
}

export interface Opened {
  readonly dataset: DatasetName
  readonly model: string
}

/** What outlives a reload. */
export type ServingOptions = Pick<
  AppServices,
  'logger' | 'rateLimits' | 'metrics' | 'metricsText' | 'tracing'
>

/**
 * @param first models that are going to be warmed up; what is wrong with them is told then
 * @throws CatalogueError, SettingsError
 */
export async function openServing(
  settings: ServerSettings,
  options: ServingOptions,
  first: readonly string[] = [],
): Promise<Serving> {
  const names = readModelNames(settings)
  const warn = (message: string) => options.logger.warn(message)
  const openLists = listsOpener(settings, options.logger)
  const search = await openSearch(settings, { meter: options.metrics, warn, openLists })
  const { catalogue, collections } = search
  // Its thread starts while this one looks at the files.
  for (const model of first.filter((model) => isBuilt(model, catalogue, settings))) {
    search.models.use(model, () => Promise.resolve()).catch(() => undefined)
  }
  try {
    const inventory = await takeInventory(catalogue, settings)
    const health = createHealth({ search, place: settings, inventory })
    const modelList = createModelList({
      categories: {
        'Semantic Search': () => listCrossEncoders(settings),
        'Similarity models': () => listModels(settings),
      },
      fineTunedDir: fineTunedFolder(settings),
    })
    const { limitConcurrency: limit, requestTimeout: timeoutSeconds } = settings
    const own = { ...options, settings, admission: createAdmission({ limit, timeoutSeconds }) }
    const app = createApp({
      ...own,
      ...{ search: search.similar, rankedSearch: search.ranked },
      ...{ health, modelList, models: names.models.map(({ name }) => name) },
    })
    const requests = countRequests(app)
    return {
      ...requests,
      frontDoor: createFrontDoor({ ...own, health }),
      inventory,
      opened: () =>
        inventory.datasets.flatMap(({ name }) =>
          collections.opened(name).map((model) => ({ dataset: name, model })),
        ),
      async warmUp(wanted) {
        const warm = wanted.map(async ({ dataset: name, model }) => {
          const dataset = catalogue.dataset(name)
          if (dataset === undefined) return
          await search
            .warmUp(dataset, model)
            .catch((error: unknown) => warnOfCold(options.logger, name, model, error))
        })
        await Promise.all(warm)
      },
      state: () => ({ requests: requests.inFlight(), ...search.memory() }),
      closeIdle: (idleMs) => search.closeIdle(idleMs),
      stopping: () => health.stopping(),
      close: () => search.close(),
    }
  } catch (error) {
    await search.close()
    throw error
  }
}

function isBuilt(
  model: string,
  catalogue: Catalogue,
  { embeddingsDir }: Pick<ServerSettings, 'embeddingsDir'>,
): boolean {
  return catalogue.datasets().some(({ name: dataset, columns }) => {
    return existsSync(embeddingPaths({ embeddingsDir, dataset, model }, columns).manifest)
  })
}

function listsOpener(
  { graphqlUrl: url, anilistConfig: configPath, listWait }: ServerSettings,
  logger: Logger,
): ((catalogue: Catalogue) => UserLists) | undefined {
  if (listWait === 0) return undefined
  const waitMs = listWait * 1000
  return (catalogue) => createUserLists({ catalogue, url, configPath, waitMs, logger })
}

/** A stop may have come first; what is really wrong is told to the request that needs it. */
function warnOfCold(logger: Logger, dataset: string, model: string, error: unknown): void {
  logger.debug({ dataset, model, err: error }, 'warming up failed')
}

/** The app's answers are whole when it resolves, so those under way are the requests in flight. */
function countRequests(
  app: ReturnType<typeof createApp>,
): Pick<Serving, 'fetch' | 'drained'> & { inFlight(): number } {
  let inFlight = 0
  let waiting: (() => void)[] = []
  return {
    async fetch(request, bindings) {
      inFlight += 1
      try {
        return await app.fetch(request, bindings)
      } finally {
        inFlight -= 1
        if (inFlight === 0) {
          for (const tell of waiting) tell()
          waiting = []
        }
      }
    },
    inFlight: () => inFlight,
    async drained() {
      if (inFlight > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

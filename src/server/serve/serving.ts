/**
 * One generation of a server: a catalogue, its embeddings, models, and the app. A reload opens a second
 * generation and swaps. They share nothing, so the new one reads the disk again, and for a moment both are in
 * memory.
 */
import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import { servedDatasets, type Catalogue, type DatasetName } from '../../data/catalogue/catalogue.js'
import type { ServerSettings } from '../../base/config/settings.js'
import { embeddingPaths } from '../../data/embed/paths.js'
import { createGpuPlan } from './gpu-fit.js'
import { createHealth } from './health-report.js'
import { createAdmission } from '../http/admission.js'
import { createApp } from '../http/app.js'
import type { AppBindings } from '../http/env.js'
import { createFeedbackFile } from '../http/feedback-file.js'
import { createEntryIds } from '../http/entry-ids.js'
import { createEntryJson } from '../http/entry-json.js'
import type { LastReload } from '../schemas/server-health.js'
import type { AppServices } from '../http/services.js'
import type { EntryFilter } from '../../data/catalogue/filter.js'
import type { Writes } from '../http/writes.js'
import { takeInventory, type Inventory } from '../../search/composition/inventory.js'
import type { ProcessState } from '../../base/observability/metrics-sink.js'
import { builtinModel, readModelNames } from '../../models/registry/registry.js'
import { isGroupEnabled } from '../http/route.js'
import type { ToolServices } from '../mcp/tool.js'
import type { McpEndpoint } from '../http/mcp-endpoint.js'
import { openSearch, type OpenSearch } from '../../search/composition/open-search.js'
import { createServedModelList } from './served-model-list.js'
import { locationOf } from '../../search/composition/vector-source.js'
import { recordSearches } from '../analytics/record-searches.js'
import { splitRoutes } from './split-routes.js'
import { builtinRanker } from '../../search/ranking/builtin-ranker.js'
import { mapModels } from './serve-maps.js'
import { openMaps } from '../../search/map/open-maps.js'
import { openPublicLists, openUserLists } from '../../search/composition/open-lists.js'
import { runnable } from '../../base/util/runnable.js'

export interface Serving {
  readonly inventory: Inventory
  /** What /search encodes with. */
  readonly encoder: string
  /** The built-in model and the encoder of /search, so that the first request need not wait. */
  readonly searched: readonly Opened[]
  fetch(request: Request, bindings: AppBindings): Promise<Response>
  /** Searches find what writes have left that are not merged yet. */
  showPending(): Promise<void>
  /** What `--status-port` serves. */
  fetchStatus(request: Request, bindings: AppBindings): Promise<Response>
  /** Datasets and models that are in memory. */
  opened(): Opened[]
  /** Loads what the first request for these needs. Logs failures. */
  warmUp(datasets: readonly Opened[]): Promise<void>
  /** Searches each dataset once, so that the first search of a client is quick. Logs failures. */
  rehearse(): Promise<void>
  /** Releases what was not used for that long. Returns descriptions of what it released. */
  closeIdle(idleMs: number): readonly string[]
  /** Requests and memory in use, for the metrics. */
  state(): ProcessState
  /** Sets the health to `stopping`. */
  stopping(): void
  /** Resolves when no request is in progress. */
  drained(): Promise<void>
  close(): Promise<void>
}

interface Opened {
  readonly dataset: DatasetName
  readonly model: string
}

/** Shared by all generations. */
export type ServingOptions = Pick<
  AppServices,
  'logger' | 'access' | 'rateLimits' | 'metrics' | 'metricsText' | 'tracing' | 'analytics'
> & {
  readonly lastReload?: () => LastReload | null
  /** Absent where nothing can be written. */
  readonly writes?: Writes | undefined
}

/**
 * @param preloads whether what is searched starts loading at once
 * @throws CatalogueError, SettingsError
 */
export async function openServing(
  settings: ServerSettings,
  options: ServingOptions,
  preloads = false,
): Promise<Serving> {
  const names = readModelNames(settings)
  const warn = (message: string) => options.logger.warn(message)
  const { logger } = options
  const openLists = (catalogue: Catalogue) => openUserLists(settings, { catalogue, logger })
  logApproximation(settings, logger)
  const search = await openSearch(settings, { metrics: options.metrics, warn, openLists })
  const { catalogue, collections, encoder } = search
  const first = [...new Set([builtinModel, encoder])]
  // In a worker thread while this one reads files. Warming up reports what fails.
  const preloaded = preloads ? first.filter((model) => isBuilt(model, catalogue, settings)) : []
  for (const model of preloaded) {
    search.models.use(model, () => Promise.resolve()).catch(() => undefined)
  }
  try {
    const inventory = await takeInventory(catalogue, locationOf(settings), search.vectors)
    const health = createHealth({
      search,
      location: locationOf(settings),
      inventory,
      lastReload: options.lastReload ?? (() => null),
      searchNeeds: searchNeeds(encoder, settings),
    })
    const modelList = createServedModelList(settings)
    const { limitConcurrency: limit, requestTimeout: timeoutSeconds } = settings
    const { writes, analytics } = options
    const entryIds = createEntryIds(
      catalogue,
      () => search.pending.current()?.view.segments.map((segment) => segment.catalogue) ?? [],
    )
    const datasets = servedDatasets(catalogue.datasets().map(({ name }) => name))
    const searches = analytics ? recordSearches(search, analytics) : search
    const services = {
      ...options,
      datasets,
      entryIds,
      writes: writes && {
        writes,
        columnsOf: (dataset: DatasetName) => catalogue.dataset(dataset)?.columns,
        hasEntry: (dataset: DatasetName, id: number) =>
          catalogue.rowOfId(dataset, id) !== undefined,
        checkFilter: (dataset: DatasetName, filter: EntryFilter) =>
          void catalogue.mask(dataset, filter),
      },
      admission: createAdmission({ limit, timeoutSeconds }),
      mcp: mcpEndpoint({ ...search, ...searches, entryIds }, datasets, settings),
      search: searches.similar,
      rankedSearch: searches.ranked,
      joinedSearch: searches.joined,
      listEntries: search.listEntries,
      recommend: search.recommend,
      browse: search.browse,
      inference: search.inference,
      publicLists: openPublicLists(settings, logger),
      ...(settings.feedback !== 'none' && { feedback: createFeedbackFile(settings.feedback) }),
      maps: openMaps(catalogue, settings, mapModels({ ...settings, searchEncoder: encoder })),
      entries: createEntryJson(catalogue, undefined, options.metrics, search.pending.place),
      health,
      modelList,
      models: names.models.map(({ name }) => name),
      gpuPlan: createGpuPlan(catalogue, inventory, settings),
    }
    const { main, status } = splitRoutes(settings)
    const closing = new AbortController()
    let rehearsing = Promise.resolve()
    const requests = countRequests({
      app: createApp({ ...services, settings: main }),
      statusApp: createApp({ ...services, settings: status }),
    })
    const showPending = async () => {
      if (writes !== undefined) await search.pending.refresh(() => requests.settled())
    }
    return {
      ...requests,
      showPending,
      inventory,
      encoder,
      searched: inventory.datasets.flatMap(({ name: dataset, models }) =>
        first.filter((model) => models.includes(model)).map((model) => ({ dataset, model })),
      ),
      opened: () =>
        inventory.datasets.flatMap(({ name }) =>
          collections.opened(name).map((model) => ({ dataset: name, model })),
        ),
      async warmUp(datasets) {
        const warm = datasets.map(async ({ dataset: name, model }) => {
          const dataset = catalogue.dataset(name)
          if (dataset === undefined) return
          await search
            .warmUp(dataset, model)
            .catch((error: unknown) => warnOfCold(options.logger, name, model, error))
        })
        await Promise.all(warm)
      },
      async rehearse() {
        // Another ranker takes seconds, and memory that nobody may need.
        if (!isGroupEnabled(settings, 'search') || settings.crossEncoder !== builtinRanker) return
        const searchable = inventory.datasets.filter(({ models }) => models.includes(encoder))
        rehearsing = (async () => {
          for (const { name } of searchable) {
            await search
              .rehearse(name, closing.signal)
              .catch((error: unknown) => warnOfCold(options.logger, name, encoder, error))
          }
        })()
        await rehearsing
      },
      state: () => ({ requests: requests.inFlight(), ...search.memory() }),
      closeIdle: (idleMs) => search.closeIdle(idleMs),
      stopping: () => health.stopping(),
      async close() {
        closing.abort()
        await rehearsing
        await search.close()
      },
    }
  } catch (error) {
    await search.close()
    throw error
  }
}

/** What /search encodes with, and what the built-in ranker compares the tokens of. */
function searchNeeds(
  encoder: string,
  { enableRoutes, crossEncoder }: Pick<ServerSettings, 'enableRoutes' | 'crossEncoder'>,
): readonly string[] {
  if (!isGroupEnabled({ enableRoutes }, 'search')) return []
  return crossEncoder === builtinRanker ? [...new Set([encoder, builtinModel])] : [encoder]
}

/** Loads the protocol's library at its first request: it takes a tenth of the time of a start. */
function mcpEndpoint(
  search: OpenSearch & Pick<ToolServices, 'entryIds'>,
  datasets: readonly DatasetName[],
  { adult, enableRoutes }: Pick<ServerSettings, 'adult' | 'enableRoutes'>,
): McpEndpoint | undefined {
  if (!isGroupEnabled({ enableRoutes }, 'mcp')) return undefined
  let loading: Promise<McpEndpoint> | undefined
  return async (call) => {
    loading ??= import('../mcp/serve-http.js').then(({ createMcpEndpoint }) =>
      createMcpEndpoint({ ...search, adult }, datasets),
    )
    return (await loading)(call)
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

function logApproximation(
  { index, indexCandidates: candidates }: ServerSettings,
  logger: Logger,
): void {
  if (index !== 'opensearch' || candidates === 'exact') return
  logger.info(
    { candidates },
    runnable(
      'vectors are searched by a graph, so some works may be missed; scores and order are exact. ' +
        'To measure what is missed, run: synoptic index recall',
    ),
  )
}

/** Debug level: a stop may be the cause, and a real fault is reported to the request that needs the model. */
function warnOfCold(logger: Logger, dataset: string, model: string, error: unknown): void {
  logger.debug({ dataset, model, err: error }, 'warming up failed')
}

/** A request is in flight until `app.fetch` resolves: its response is complete then. */
function countRequests({
  app,
  statusApp,
}: Readonly<Record<'app' | 'statusApp', ReturnType<typeof createApp>>>): Pick<
  Serving,
  'fetch' | 'fetchStatus' | 'drained'
> & { inFlight(): number; settled(): Promise<unknown> } {
  const running = new Set<Promise<Response>>()
  let waiting: (() => void)[] = []
  async function count(responding: Response | Promise<Response>): Promise<Response> {
    const response = Promise.resolve(responding)
    running.add(response)
    try {
      return await response
    } finally {
      running.delete(response)
      if (running.size === 0) {
        for (const resolve of waiting) resolve()
        waiting = []
      }
    }
  }
  return {
    fetch: (request, bindings) => count(app.fetch(request, bindings)),
    fetchStatus: (request, bindings) => count(statusApp.fetch(request, bindings)),
    inFlight: () => running.size,
    settled: () => Promise.allSettled([...running]),
    async drained() {
      if (running.size > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

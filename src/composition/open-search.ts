/** Composition of what searches need: the same parts in a server and in the tools that measure it. */
import { catalogueFile, openCatalogue } from '../catalogue/open-catalogue.js'
import type { Catalogue, DatasetColumn, DatasetInfo } from '../catalogue/catalogue.js'
import { withoutColumn } from '../catalogue/without-column.js'
import type { ServerSettings, Settings } from '../config/settings.js'
import { createDevices } from '../encoders/device.js'
import { createEncoders } from '../residency/encoders.js'
import { placeOf } from '../models/registry.js'
import { fineTunedFolder } from '../models/fine-tuned.js'
import { measureCollections } from '../index/measured-collections.js'
import { noMetricsSink, type MetricsSink } from '../observability/metrics-sink.js'
import type { State } from '../observability/metrics.js'
import { createModelCache } from '../residency/model-cache.js'
import { modelMemoryLimit } from '../models/model-memory.js'
import { returnFreeMemory } from '../native/index.js'
import type { MaxSimIndex } from '../native/max-sim.js'
import { readBlend } from '../ranking/blend.js'
import { type Weights, builtinRanker, createBuiltinRanker } from '../ranking/builtin-ranker.js'
import { type GatherEvidence, createGatherEvidence } from '../ranking/evidence.js'
import { createFirstStage, type FirstStage } from '../ranking/first-stage.js'
import { createRankers, type Rankers } from '../ranking/rankers.js'
import { weightsOf } from '../ranking/search-encoder.js'
import { createCrossEncoders } from '../residency/resident-cross-encoders.js'
import { createOpenCollection, createOpenTokenIndex } from '../index/open-index.js'
import type { UserLists } from '../anilist/user-lists.js'
import { createModels, type Models } from '../residency/resident-encoders.js'
import { createQueryCache } from '../residency/query-cache.js'
import type { RankedSearchService } from '../search/ranked-search.js'
import { createRankedSearch } from '../search/ranked-service.js'
import { createSearchService, type SearchService } from '../search/service.js'
import {
  createCollectionStore,
  createStore,
  type CollectionStore,
  type Store,
} from '../index/store.js'
import { threadsOf } from '../scheduling/threads.js'

/** Owns all of it; nothing is loaded before its first use. */
export interface OpenSearch {
  readonly catalogue: Catalogue
  readonly models: Models
  readonly collections: CollectionStore
  readonly tokenIndexes: Store<MaxSimIndex>
  readonly similar: SearchService
  readonly ranked: RankedSearchService
  /** The parts of the built-in ranker, for whoever fits or judges it. */
  readonly weights: Weights
  readonly firstStage: FirstStage
  readonly rankers: Rankers
  readonly gather: GatherEvidence
  /** Loads what the first request for a model would wait for. */
  warmUp(dataset: DatasetInfo, model: string): Promise<void>
  /** Releases what nobody has used within that time; answers what it was. */
  closeIdle(idleMs: number): readonly string[]
  /** Devices that models run on. */
  devices(): readonly string[]
  /** Names of what is loaded now, the one used longest ago first; the built-in ranker once an index of its is open. */
  loadedModels(): readonly string[]
  /** What it holds now. */
  memory(): Omit<State, 'requests'>
  close(): Promise<void>
}

export interface SearchOptions {
  /** A column that is not searched. */
  readonly without?: DatasetColumn | undefined
  readonly meter?: MetricsSink
  /** Told what is done otherwise than the settings say. */
  readonly warn?: ((message: string) => void) | undefined
  /** The lists of a user, which are closed with the rest; nobody's unless said. */
  readonly openLists?: ((catalogue: Catalogue) => UserLists) | undefined
}

export type SearchSettings = Pick<
  ServerSettings,
  | keyof Settings
  | 'crossEncoder'
  | 'device'
  | 'fineTunedDir'
  | 'modelMemoryLimit'
  | 'popularity'
  | 'queryCache'
  | 'searchEncoder'
  | 'threads'
  | 'workers'
>

/** @throws CatalogueError, SettingsError */
export async function openSearch(
  settings: SearchSettings,
  { without, meter = noMetricsSink, warn, openLists }: SearchOptions = {},
): Promise<OpenSearch> {
  const { modelsDir, modelMemoryLimit: limitMiB, workers, crossEncoder, popularity } = settings
  const { searchEncoder: encoder } = settings
  const blend = await readBlend(placeOf(builtinRanker, modelsDir).folder)
  const weights = { ...weightsOf(blend, encoder), popularity }
  const threads = threadsOf(settings)
  const whole = openCatalogue(catalogueFile(settings.dataDir))
  const catalogue = without === undefined ? whole : withoutColumn(whole, without)
  const lists = openLists?.(catalogue)
  const place = { ...settings, without }
  const devices = createDevices()
  const device = settings.device === 'auto' ? undefined : settings.device
  const encoders = createEncoders({ modelsDir, threads, meter, devices, device, warn })
  const cache = createModelCache(modelMemoryLimit(limitMiB, workers), { freed: returnFreeMemory })
  const queries = createQueryCache({ limitBytes: settings.queryCache * 2 ** 20, meter })
  const models = createModels({ encoders, cache, modelsDir, queries })
  const measured = measureCollections(createOpenCollection(place), meter)
  const collections = createCollectionStore(measured.open)
  const openTokenIndex = createOpenTokenIndex(place)
  const tokenIndexes = createStore(openTokenIndex, (index) => index.close())
  const embedded = { catalogue, models, collections, tokenIndexes }
  const firstStage = createFirstStage({ ...embedded, encoder })
  const gather = createGatherEvidence({ ...embedded, encoder, blend })
  const rankers = createRankers({
    catalogue,
    crossEncoders: createCrossEncoders({ cache, threads, meter, devices }),
    builtin: new Map([[builtinRanker, createBuiltinRanker(gather, weights)]]),
    crossEncoder,
    modelsDir,
    fineTunedDir: fineTunedFolder(settings),
  })
  return {
    ...embedded,
    similar: createSearchService({ ...embedded, meter, ...(lists && { lists }) }),
    ranked: createRankedSearch({ catalogue, firstStage, rankers, lists }),
    weights,
    firstStage,
    rankers,
    gather,
    async warmUp(dataset, model) {
      const touch = () => Promise.resolve()
      await models.use(model, () => collections.use(dataset, model, touch))
      if (model === blend.tokens) await tokenIndexes.use(dataset, model, touch)
    },
    closeIdle: (idleMs) => [
      ...cache.closeIdle(idleMs).map((name) => `model ${name}`),
      ...collections.closeIdle(idleMs).map((name) => `vectors of ${name}`),
      ...tokenIndexes.closeIdle(idleMs).map((name) => `token lists of ${name}`),
    ],
    devices: () => devices.present(),
    loadedModels() {
      const hasIndex = catalogue.datasets().some(({ name }) => tokenIndexes.opened(name).length > 0)
      return [...cache.loaded().map(({ name }) => name), ...(hasIndex ? [builtinRanker] : [])]
    },
    memory() {
      measured.tellSurvivors()
      return {
        mappedBytes: measured.mappedBytes(),
        modelBytes: cache.loaded().reduce((sum, { bytes }) => sum + bytes, 0),
      }
    },
    async close() {
      lists?.close()
      collections.close()
      tokenIndexes.close()
      await encoders.close()
      await cache.close()
      catalogue.close()
    },
  }
}

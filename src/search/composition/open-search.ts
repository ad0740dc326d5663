/** Puts the parts of a search together, for the server and for the tools that measure it. */
import type {
  Catalogue,
  DatasetColumn,
  DatasetInfo,
  DatasetName,
} from '../../data/catalogue/catalogue.js'
import type { IndexSettings, ServerSettings, Settings } from '../../base/config/settings.js'
import { createDevices } from '../../models/encoders/device.js'
import { createBrowse, type Browse } from '../browse/browse.js'
import { createBuiltinScorer } from '../inference/builtin-scorer.js'
import { createInference } from '../inference/create-inference.js'
import type { Inference } from '../inference/inference.js'
import { checkAliases } from '../inference/served-models.js'
import { createLanguages } from '../languages/languages.js'
import {
  createKnowledge,
  shareWords,
  type DatasetKnowledge,
} from '../knowledge/dataset-knowledge.js'
import { withoutChanged, withReplaced } from '../pending/live-catalogue.js'
import {
  withSegmentsBrowsed,
  withSegmentsListed,
  withSegmentsRanked,
} from '../pending/pending-services.js'
import { builtinModel, locateModel } from '../../models/registry/registry.js'
import { modelResolver } from '../../models/registry/resolve-model.js'
import { fineTunedFolder } from '../../models/registry/fine-tuned.js'
import { measureCollections } from '../index/measured-collections.js'
import {
  noMetricsSink,
  type MetricsSink,
  type ProcessState,
} from '../../base/observability/metrics-sink.js'
import { createResourceCache } from '../../models/residency/resource-cache.js'
import { modelMemoryLimit } from '../../models/registry/model-memory.js'
import { returnFreeMemory } from '../../native/addon/index.js'
import type { MaxSimIndex } from '../../native/addon/max-sim.js'
import { fitWeightsOf, readRankerConfig } from '../ranking/ranker-config.js'
import { type FeatureWeights, builtinRanker } from '../ranking/builtin-ranker.js'
import type { ComputeFeatures } from '../ranking/features.js'
import type { FirstStage } from '../ranking/first-stage.js'
import { createMatchedWords } from '../ranking/matched-words.js'
import type { Rankers } from '../ranking/rankers.js'
import { autoEncoder, weightsOf } from '../ranking/search-encoder.js'
import { createCrossEncoders } from '../../models/residency/resident-cross-encoders.js'
import { createOpenTokenIndex } from '../index/open-index.js'
import type { UserLists } from '../../data/anilist/user-lists.js'
import { createModels, type Models } from '../../models/residency/resident-encoders.js'
import { createQueryCache } from '../../models/residency/query-cache.js'
import type { RankedSearchService } from '../service/ranked-search.js'
import { createJoinedSearch, type JoinedSearch } from '../service/joined-search.js'
import { createListEntries, type ListEntries } from '../service/list-entries.js'
import { createRecommend, type Recommend } from '../service/recommend.js'
import { createRankedSearch } from '../service/ranked-service.js'
import { createSearchService, type SearchService } from '../service/service.js'
import {
  createCollectionStore,
  createStore,
  type CollectionStore,
  type Store,
} from '../index/store.js'
import { createVerifier, verifiedBytesPerSecond } from '../index/verifier.js'
import { locationOf, type VectorSource } from './vector-source.js'
import { chooseEncoder, chooseLanguages } from './choose-encoder.js'
import { readOwnWords } from './read-own-words.js'
import { createPendingSearch, type PendingSearch } from './open-pending.js'
import { openSources } from './open-sources.js'
import { createSearchParts } from './search-parts.js'
import { rehearse } from './rehearsal.js'
import { threadsOf } from '../../native/scheduling/threads.js'

/** Owns all parts. A part is loaded at its first use. */
export interface OpenSearch {
  readonly catalogue: Catalogue
  readonly models: Models
  readonly vectors: VectorSource
  readonly collections: CollectionStore
  readonly tokenIndexes: Store<MaxSimIndex>
  readonly similar: SearchService
  readonly ranked: RankedSearchService
  /** Writes that are not in the catalogue yet. */
  readonly pending: PendingSearch
  readonly joined: JoinedSearch
  readonly listEntries: ListEntries
  readonly recommend: Recommend
  readonly browse: Browse
  readonly inference: Inference
  /** What /search encodes with. */
  readonly encoder: string
  /** The parts of the built-in ranker, for fitting and measuring it. */
  readonly weights: FeatureWeights
  readonly firstStage: FirstStage
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
  readonly rankers: Rankers
  readonly computeFeatures: ComputeFeatures
  /** Loads what the first request for a model needs. */
  warmUp(dataset: DatasetInfo, model: string): Promise<void>
  /** Searches a dataset once, see rehearse. */
  rehearse(dataset: DatasetName, signal: AbortSignal): Promise<void>
  /** Releases what was not used for that long. Returns descriptions of what it released. */
  closeIdle(idleMs: number): readonly string[]
  /** What is out of service because a file is damaged: `catalogue`, or a dataset and a model. */
  damaged(): readonly string[]
  /** Opens what is damaged and may have been mended. */
  retryDamaged(): void
  /** Devices that models run on. */
  devices(): readonly string[]
  /** Why no model runs on CUDA; undefined where they do. */
  cudaProblem(): string | undefined
  /** Names of the loaded models, least recently used first; with the built-in ranker while its index is open. */
  loadedModels(): readonly string[]
  /** Memory in use now. */
  memory(): Omit<ProcessState, 'requests'>
  close(): Promise<void>
}

export interface SearchOptions {
  /** A column to exclude from the search. */
  readonly without?: DatasetColumn | undefined
  readonly metrics?: MetricsSink
  /** Called where the behaviour differs from the settings. */
  readonly warn?: ((message: string) => void) | undefined
  /** Opens the lists of the AniList user; `close` closes them. */
  readonly openLists?: ((catalogue: Catalogue) => UserLists | undefined) | undefined
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
  | 'rankerWeights'
  | 'searchEncoder'
  | 'threads'
  | 'workers'
> &
  Partial<IndexSettings & Pick<ServerSettings, 'modelAlias' | 'vocabulary'>>

/** @throws CatalogueError, SettingsError */
export async function openSearch(
  settings: SearchSettings,
  { without, metrics = noMetricsSink, warn, openLists }: SearchOptions = {},
): Promise<OpenSearch> {
  const { modelsDir, modelMemoryLimit: limitMiB, workers, crossEncoder, popularity } = settings
  const encoder = await chooseEncoder({ ...settings, without })
  const chosen = await chooseLanguages({ ...settings, without })
  const ownWords = readOwnWords(settings.vocabulary)
  const rankerConfig = await readRankerConfig(locateModel(builtinRanker, modelsDir).folder)
  const weights = {
    ...weightsOf(rankerConfig, encoder),
    popularity,
    fit: await fitWeightsOf(settings, rankerConfig),
    nothingFits: rankerConfig.nothingFits,
  }
  // Vectors and scores of callers' texts do not change with what is embedded.
  const textEncoder = settings.searchEncoder === autoEncoder ? builtinModel : encoder
  const threads = threadsOf(settings)
  const verifier = createVerifier({
    bytesPerSecond: verifiedBytesPerSecond / workers,
    onRead: (bytes) => metrics.verified(bytes),
  })
  const watching = { verifier, warn }
  const location = locationOf({ ...settings, without })
  const { watched, catalogue, lists, vectors } = await openSources(location, {
    openLists,
    watching,
  })
  const devices = createDevices()
  const device = settings.device === 'auto' ? undefined : settings.device
  const memoryLimit = modelMemoryLimit(limitMiB, workers)
  const cache = createResourceCache({ limitBytes: memoryLimit, onClosed: returnFreeMemory })
  const queries = createQueryCache({ limitBytes: settings.queryCache * 2 ** 20, metrics })
  const resolve = modelResolver({ modelsDir })
  const models = createModels({
    cache,
    queries,
    resolve,
    memoryLimit,
    threads,
    metrics,
    devices,
    device,
    warn,
  })
  const measured = measureCollections(
    (dataset, model) => vectors.open(dataset, resolve(model)),
    metrics,
  )
  const collections = createCollectionStore(cache, measured.open, watching)
  const openTokenIndex = createOpenTokenIndex(location)
  const tokenIndexes = createStore({
    cache,
    label: 'token lists of',
    open: (dataset, model) => openTokenIndex(dataset, resolve(model)),
    close: (index: MaxSimIndex) => index.close(),
    verify: (index, options) => index.verify(options),
    watching,
  })
  const embedded = { catalogue, models, collections, tokenIndexes }
  const words = shareWords(ownWords)
  const knowledge = createKnowledge(catalogue, words)
  const crossEncoders = createCrossEncoders({ cache, threads, metrics, devices, device, warn })
  const folders = { modelsDir, fineTunedDir: fineTunedFolder(settings) }
  const aliases = settings.modelAlias ?? {}
  await checkAliases(aliases, folders)
  const matchedWords = createMatchedWords(models, rankerConfig.tokens)
  const ranking = { rankerConfig, weights, crossEncoders, crossEncoder, folders, matchedWords }
  const languages = createLanguages()
  const shared = { models, encoder, languages, chosen, ...ranking }
  const parts = createSearchParts({ catalogue, collections, tokenIndexes, knowledge }, shared)
  const { firstStage, computeFeatures, rankers, rankedParts } = parts
  const { dataDir } = settings
  const own = { catalogue, collections, knowledge, lists }
  const pending = createPendingSearch({ ...own, dataDir, resolve, words, shared })
  const segments = () => pending.current()?.services ?? []
  const rest = withoutChanged(catalogue, () => pending.current()?.view)
  const shown = withReplaced(catalogue, () => pending.current()?.view)
  const ofRest = createRankedSearch({ ...rankedParts, catalogue: rest, lists })
  const ranked = withSegmentsRanked(ofRest, segments)
  const similarOfMain = createSearchService({
    ...embedded,
    catalogue: shown,
    knowledge,
    ...(lists && { lists }),
  })
  const similar = () => pending.current()?.similar ?? similarOfMain
  const damages = () => [...collections.damaged(), ...tokenIndexes.damaged()]
  const damaged = () => {
    const names = damages().map(({ dataset, model }) => `${dataset} ${model}`)
    return [...(watched.isDamaged() ? ['catalogue'] : []), ...new Set(names)]
  }
  return {
    ...embedded,
    encoder,
    vectors,
    damaged,
    retryDamaged() {
      for (const store of [collections, tokenIndexes] as const) {
        for (const { dataset: name, model } of store.damaged()) {
          const dataset = catalogue.datasets().find((info) => info.name === name)
          if (dataset === undefined) continue
          store.use(dataset, model, () => Promise.resolve()).catch(() => undefined)
        }
      }
    },
    similar: {
      neighbours: similarOfMain.neighbours,
      similar: (query, signal) => similar().similar(query, signal),
      similarToEach: (query, signal) => similar().similarToEach(query, signal),
    },
    ranked,
    pending,
    joined: createJoinedSearch({ catalogue, ranked }),
    listEntries: withSegmentsListed(createListEntries({ catalogue: rest, knowledge }), segments),
    recommend: createRecommend({
      catalogue: shown,
      knowledge,
      ranked: createRankedSearch({ ...rankedParts, catalogue: shown, lists }),
      nearest: { collections, model: builtinModel },
    }),
    rehearse: (dataset, signal) => rehearse(createRankedSearch(rankedParts), dataset, signal),
    browse: withSegmentsBrowsed(createBrowse({ catalogue: shown, knowledge }), segments),
    inference: createInference({
      models,
      crossEncoders,
      ...folders,
      aliases,
      builtinScorer: createBuiltinScorer({
        cache,
        models,
        encoder: textEncoder,
        tokens: resolve(rankerConfig.tokens),
        rankerConfig,
        weights: { ...weights, ...weightsOf(rankerConfig, textEncoder) },
      }),
      defaults: { encoder: textEncoder, ranker: crossEncoder },
    }),
    weights,
    firstStage,
    knowledge,
    rankers,
    computeFeatures,
    async warmUp(dataset, model) {
      const touch = () => Promise.resolve()
      await models.use(model, () => collections.use(dataset, model, touch))
      if (model === rankerConfig.tokens) await tokenIndexes.use(dataset, model, touch)
    },
    closeIdle: (idleMs) => cache.closeIdle(idleMs),
    devices: () => devices.present(),
    cudaProblem: () => devices.cudaProblem(),
    loadedModels() {
      const hasIndex = catalogue.datasets().some(({ name }) => tokenIndexes.opened(name).length > 0)
      return [...cache.list('model').map(({ name }) => name), ...(hasIndex ? [builtinRanker] : [])]
    },
    memory() {
      measured.reportWork()
      return {
        mappedBytes: measured.mappedBytes(),
        damaged: damaged().length,
        modelBytes: cache.list('model').reduce((sum, { bytes }) => sum + bytes, 0),
      }
    },
    async close() {
      lists?.close()
      await pending.close()
      await cache.close()
      await vectors.close()
      catalogue.close()
      watched.close()
    },
  }
}

/** The state of a server, for GET / and the probes. It takes a new inventory now and then. */
import { isWorkDataset, workDatasets, type Origin } from '../../data/catalogue/catalogue.js'
import type { Health, HealthReport, LastReload, SourceHealth } from '../schemas/server-health.js'
import {
  takeInventory,
  type DatasetInventory,
  type Inventory,
} from '../../search/composition/inventory.js'
import { gpuRefusal, gpuStats, nativeInfo, type NativeInfo } from '../../native/addon/index.js'
import type { EmbeddingsLocation } from '../../search/index/open-index.js'
import type { ModelsLocation } from '../../models/registry/registry.js'
import type { OpenSearch } from '../../search/composition/open-search.js'
import { builtinModel } from '../../models/registry/registry.js'
import { builtinRanker } from '../../search/ranking/builtin-ranker.js'
import { version } from '../../base/util/version.js'

export interface HealthOptions {
  readonly search: Pick<
    OpenSearch,
    | 'catalogue'
    | 'collections'
    | 'cudaProblem'
    | 'damaged'
    | 'devices'
    | 'loadedModels'
    | 'retryDamaged'
    | 'vectors'
  >
  readonly location: EmbeddingsLocation & ModelsLocation
  readonly inventory: Inventory
  readonly lastReload: () => LastReload | null
  /** Models whose embeddings /search needs; none where it is not served. */
  readonly searchNeeds?: readonly string[]
}

export interface ServerHealth extends Health {
  /** Sets the status to `stopping`. */
  stopping(): void
}

/** New embeddings appear in the report after at most this long. */
const inventoryLifeMs = 10_000

export function createHealth({
  search,
  location,
  inventory: first,
  lastReload,
  searchNeeds = [],
}: HealthOptions): ServerHealth {
  const { kernel, cuda } = nativeInfo()
  const { catalogue, collections } = search
  const sources = new Map(
    first.datasets.map(({ name }) => [name, catalogue.origins(name).map(sourceOf)]),
  )
  let inventory = first
  let takenMs = performance.now()
  let isStopping = false

  /** Updates the inventory for the next report. */
  function refreshSoon(): void {
    if (isStopping || performance.now() - takenMs < inventoryLifeMs) return
    takenMs = performance.now()
    search.retryDamaged()
    takeInventory(catalogue, location, search.vectors).then(
      (taken) => (inventory = taken),
      // Keeps the last inventory; requests report their own errors.
      () => undefined,
    )
  }

  return {
    report(): HealthReport {
      refreshSoon()
      const datasets = inventory.datasets.map((info) => {
        const { name, rows, columns, models: found, version: datasetVersion } = info
        const loaded = collections.opened(name)
        // Open embeddings are still served, even if the files on disk have changed.
        const models = [...new Set([...found, ...loaded])]
        const own = { version: datasetVersion, entries: rows, sources: sources.get(name) ?? [] }
        return [name, { ...own, columns, models, models_loaded: loaded }] as const
      })
      const damaged = search.damaged()
      const reasonsOf = inventory.datasets.map((dataset) => reasonOf(dataset, searchNeeds))
      const status = statusOf(reasonsOf)
      const reasons = reasonsOf.flat()
      const unsearchable = search.vectors.problem()
      const served = unsearchable === undefined ? status : 'unavailable'
      return {
        status: isStopping ? 'stopping' : damaged.length > 0 ? 'damaged' : served,
        reasons: [
          ...(unsearchable === undefined ? [] : [unsearchable]),
          ...damaged.map((what) => `${what}: damaged`),
          ...reasons,
          ...notImported(inventory),
        ],
        damaged,
        version,
        ...cudaHealth(searchProblem(cuda), search.cudaProblem()),
        devices: search.devices(),
        kernel,
        models_loaded: search.loadedModels(),
        last_reload: lastReload(),
        datasets: Object.fromEntries(datasets),
      }
    },
    stopping() {
      isStopping = true
    },
  }
}

const sourceOf = ({ name, url, licence, licenceUrl, attribution }: Origin): SourceHealth => {
  return { name, url, licence, licence_url: licenceUrl, attribution }
}

/** A dataset that nobody imported is not a fault. @param reasons why each dataset of the catalogue cannot be searched */
function statusOf(reasons: readonly (readonly string[])[]): HealthReport['status'] {
  const searchable = reasons.filter(({ length }) => length === 0).length
  if (searchable === 0) return 'unavailable'
  return searchable === reasons.length ? 'ok' : 'degraded'
}

/** Why the dataset cannot be searched, and the command that ends that. */
function reasonOf(dataset: DatasetInventory, searchNeeds: readonly string[]): string[] {
  const { name, models, unusable } = dataset
  if (models.length > 0) {
    const missing = searchNeeds.find(
      (model) => !models.includes(model) || lacksTokens(dataset, model),
    )
    if (missing === undefined) return []
    const command = `synoptic embed build --dataset ${name} --model ${missing}`
    return [`${name}: /search needs the embeddings of ${missing}; run \`${command}\``]
  }
  const [first] = unusable
  const known = unusable.find(({ remedy }) => remedy !== undefined)?.remedy
  // No command brings an engine back that is away.
  if (known === undefined && first !== undefined) return [`${name}: ${first.problem}`]
  const remedy = known ?? `synoptic embed build --dataset ${name}`
  return [`${name}: no model can search it; run \`${remedy}\``]
}

/** Of the model whose tokens the built-in ranker compares. */
const lacksTokens = ({ unusable }: DatasetInventory, model: string): boolean =>
  model === builtinModel && unusable.some((other) => other.model === builtinRanker)

/** A catalogue of other datasets need not have these. */
const notImported = ({ datasets }: Inventory): string[] =>
  datasets.every(({ name }) => isWorkDataset(name))
    ? workDatasets
        .filter((dataset) => !datasets.some(({ name }) => name === dataset))
        .map((dataset) => `${dataset}: not imported`)
    : []

/** Of searches and of models, each undefined where there is no problem. */
function cudaHealth(searches: string | undefined, models: string | undefined) {
  const of = (problem: string | undefined) => {
    return { available: problem === undefined, reason: problem ?? null }
  }
  const problems = [searches, models].filter((problem) => problem !== undefined)
  const isUsed = problems.length < 2
  return {
    cuda_available: isUsed,
    cuda_reason: isUsed ? null : `searches: ${searches}; models: ${models}`,
    cuda_searches: of(searches),
    cuda_models: of(models),
  }
}

/** Why searches run on the CPU; undefined if large searches use a GPU. */
function searchProblem({ available, reason }: NativeInfo['cuda']): string | undefined {
  if (!available) return reason
  const stats = gpuStats()
  if (stats === undefined)
    return gpuRefusal() ?? 'not used: --gpu-memory-limit is 0, or --device is cpu'
  return stats.lost === '' ? undefined : stats.lost
}

/** The state of a server, for GET / and the probes: what the inventory says, looked at again now and then. */
import { datasetNames, type Catalogue } from './catalogue/catalogue.js'
import type { Health, HealthReport } from './http/routes/health.js'
import { takeInventory, type Inventory } from './inventory.js'
import { nativeInfo } from './native/index.js'
import type { EmbeddingsPlace } from './search/embeddings.js'
import type { CollectionStore } from './search/store.js'
import { version } from './version.js'

export interface HealthOptions {
  readonly catalogue: Catalogue
  readonly collections: Pick<CollectionStore, 'opened'>
  readonly place: EmbeddingsPlace
  readonly inventory: Inventory
}

export interface ServerHealth extends Health {
  /** From here on the server is `stopping`. */
  stopping(): void
}

/** Embeddings that are built beside a running server are seen after this long. */
const inventoryLifeMs = 10_000

export function createHealth({
  catalogue,
  collections,
  place,
  inventory: first,
}: HealthOptions): ServerHealth {
  const { kernel } = nativeInfo()
  let inventory = first
  let takenMs = performance.now()
  let isStopping = false

  /** For the next report; this one does not wait. */
  function refreshSoon(): void {
    if (isStopping || performance.now() - takenMs < inventoryLifeMs) return
    takenMs = performance.now()
    takeInventory(catalogue, place).then(
      (taken) => (inventory = taken),
      // What was true before is the best guess; the requests tell their own errors.
      () => undefined,
    )
  }

  return {
    report(): HealthReport {
      refreshSoon()
      const datasets = inventory.datasets.map(({ name, rows, columns, models: found }) => {
        const loaded = collections.opened(name)
        // What is open serves on although what lies on disk waits for a reload.
        const models = [...new Set([...found, ...loaded])]
        return [name, { entries: rows, columns, models, models_loaded: loaded }] as const
      })
      return {
        status: isStopping ? 'stopping' : statusOf(datasets.map(([, { models }]) => models)),
        version,
        cuda_available: false,
        kernel,
        datasets: Object.fromEntries(datasets),
      }
    },
    stopping() {
      isStopping = true
    },
  }
}

/** @param models of each dataset */
function statusOf(models: readonly (readonly string[])[]): HealthReport['status'] {
  const searchable = models.filter(({ length }) => length > 0).length
  if (searchable === 0) return 'unavailable'
  return searchable === datasetNames.length ? 'ok' : 'degraded'
}

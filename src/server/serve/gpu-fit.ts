/** What fits into the memory of the GPU that a server uses, as `synoptic gpu plan` says it. */
import type { Catalogue } from '../../data/catalogue/catalogue.js'
import { fits, planCollections, type CollectionNeeds } from '../../search/composition/gpu-needs.js'
import type { Inventory } from '../../search/composition/inventory.js'
import type { GpuPlan } from '../schemas/server-health.js'
import type { EmbeddingsLocation } from '../../search/index/open-index.js'
import type { ModelsLocation } from '../../models/registry/registry.js'
import { gpuStats } from '../../native/addon/index.js'

/** @returns a function that resolves with null where no GPU is used; it measures the files once. */
export function createGpuPlan(
  catalogue: Catalogue,
  inventory: Inventory,
  location: EmbeddingsLocation & ModelsLocation,
): () => Promise<GpuPlan | null> {
  let needs: Promise<readonly CollectionNeeds[]> | undefined
  return async () => {
    const stats = gpuStats()
    if (stats === undefined) return null
    const { device, limitBytes, usedBytes } = stats
    // A file that cannot be read now may be there the next time.
    needs ??= planCollections(catalogue, inventory, location)
    const collections = await needs.catch(() => {
      needs = undefined
      return []
    })
    return {
      device,
      limit_bytes: limitBytes,
      used_bytes: usedBytes,
      collections: collections.map((need) => planOf(need, limitBytes)),
    }
  }
}

export function planOf(
  { dataset, model, isBuilt, fewBytes, batchBytes, scoreBytes }: CollectionNeeds,
  limitBytes: number,
): GpuPlan['collections'][number] {
  const need = (bytes: number) => ({ bytes, fits: fits(bytes, limitBytes) })
  return {
    dataset,
    model,
    built: isBuilt,
    few: need(fewBytes),
    batches: need(batchBytes),
    rescoring: need(batchBytes + scoreBytes),
  }
}

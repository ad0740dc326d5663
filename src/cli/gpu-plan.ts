/** How much device memory each collection needs, in the forms that searches use. */
import { stat } from 'node:fs/promises'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { Inventory } from '../composition/inventory.js'
import { findEmbeddings, type EmbeddingsLocation } from '../index/open-index.js'

export interface CollectionNeeds {
  readonly dataset: string
  readonly model: string
  readonly rows: number
  readonly dimension: number
  readonly columns: number
  /** Columns that have a shadow. */
  readonly shadowedColumns: number
  /** For searches of up to eight queries: shadows, or float16 where a column has none. */
  readonly fewBytes: number
  /** For batches: float16. */
  readonly batchBytes: number
  /** To score on the device what bounds leave: float32. */
  readonly scoreBytes: number
}

/** Sizes from manifests and files; nothing is opened. */
export async function planGpu(
  catalogue: Catalogue,
  { datasets }: Inventory,
  location: EmbeddingsLocation,
): Promise<CollectionNeeds[]> {
  const needs: CollectionNeeds[] = []
  for (const { name, models } of datasets) {
    const dataset = catalogue.dataset(name)
    if (dataset === undefined) continue
    for (const model of models) {
      const { manifest, columns } = await findEmbeddings(location, dataset, model)
      const { rows, dimension } = manifest
      const shadows = await Promise.all(columns.map(({ path }) => shadowBytes(path)))
      const halfBytes = rows * (Math.ceil(dimension / 8) * 16 + 4)
      needs.push({
        dataset: name,
        model,
        rows,
        dimension,
        columns: columns.length,
        shadowedColumns: shadows.filter((bytes) => bytes !== undefined).length,
        fewBytes: shadows.reduce<number>((sum, bytes) => sum + (bytes ?? halfBytes), 0),
        batchBytes: columns.length * halfBytes,
        scoreBytes: columns.length * rows * (dimension * 4 + 8),
      })
    }
  }
  return needs
}

/** Of the shadow beside a matrix, the smaller of which a collection opens; undefined: it has none. */
async function shadowBytes(path: string): Promise<number | undefined> {
  for (const bits of [4, 8]) {
    const found = await stat(`${path}.q${bits}`).catch(() => undefined)
    if (found !== undefined) return found.size
  }
  return undefined
}

/** How much GPU memory each collection needs, by layout. */
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
  /** Columns that have quantized codes. */
  readonly codedColumns: number
  /** For searches of up to eight queries: quantized codes, or float16 for a column without codes. */
  readonly fewBytes: number
  /** For batches: float16. */
  readonly batchBytes: number
  /** For exact rescoring on the GPU: float32. */
  readonly scoreBytes: number
}

/** Computes sizes from manifests and file sizes; opens no collection. */
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
      const codes = await Promise.all(columns.map(({ path }) => codesBytes(path)))
      const halfBytes = rows * (Math.ceil(dimension / 8) * 16 + 4)
      needs.push({
        dataset: name,
        model,
        rows,
        dimension,
        columns: columns.length,
        codedColumns: codes.filter((bytes) => bytes !== undefined).length,
        fewBytes: codes.reduce<number>((sum, bytes) => sum + (bytes ?? halfBytes), 0),
        batchBytes: columns.length * halfBytes,
        scoreBytes: columns.length * rows * (dimension * 4 + 8),
      })
    }
  }
  return needs
}

/** Size of the quantized codes of a matrix; 4 bits go before 8, as when a collection opens them. */
async function codesBytes(path: string): Promise<number | undefined> {
  for (const bits of [4, 8]) {
    const found = await stat(`${path}.q${bits}`).catch(() => undefined)
    if (found !== undefined) return found.size
  }
  return undefined
}

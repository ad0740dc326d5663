/** Writes a build's matrices, a row an entry, from the vectors that are known by then. */
import { basename, join } from 'node:path'
import type { DatasetInfo } from '../catalogue/catalogue.js'
import type { Encoder } from '../../models/encoders/encoder.js'
import { writeSynced } from '../../base/util/write-synced.js'
import { hashEdges } from './file-hash.js'
import type { KnownVectors } from './cached-vectors.js'
import type { CompactColumns } from './compact-rows.js'
import type { ManifestColumn } from './manifest.js'
import { openNpyWriter } from './npy-writer.js'
import { type EmbeddingPaths, hashesName } from './paths.js'
import { type DatasetTexts, blankKey, keyAt } from './texts.js'

/** A column's matrix is written. */
export interface WriteProgress {
  readonly phase: 'write'
  readonly column: string
  /** Rows with a text. */
  readonly texts: number
}

export interface MatricesOptions {
  readonly dataset: DatasetInfo
  readonly encoder: Encoder
  readonly paths: EmbeddingPaths
  readonly texts: DatasetTexts
  /** Columns whose matrices have few rows, and these. */
  readonly compact: CompactColumns | undefined
  readonly known: KnownVectors
  readonly onProgress?: ((progress: WriteProgress) => void) | undefined
}

/** Rows in memory at a time. */
const blockRows = 512

/** Into the build's folder, under the names that they will have, and on disk. */
export async function writeMatrices(options: MatricesOptions): Promise<ManifestColumn[]> {
  const { paths, texts, compact } = options
  const columns: ManifestColumn[] = []
  for (const [i, { name, path }] of paths.columns.entries()) {
    const file = basename(path)
    const temporary = join(paths.building, file)
    const { bytes, sha256, blocks } = await writeMatrix(temporary, i, options)
    const { edges } = await hashEdges(temporary)
    const isCompact = compact?.columns.has(i) === true && { compact: true }
    const count = texts.counts[i] ?? 0
    const column = { name, file, ...isCompact, texts: count, bytes, sha256, edges, blocks }
    columns.push(column)
    options.onProgress?.({ phase: 'write', column: name, texts: column.texts })
  }
  await writeSynced(join(paths.building, hashesName), texts.hashes)
  return columns
}

async function writeMatrix(temporary: string, column: number, options: MatricesOptions) {
  const { texts, known, compact } = options
  const rowCount = options.dataset.rows
  const chosen = compact?.columns.has(column) ? compact.rows : undefined
  const rows = chosen?.length ?? rowCount
  const { dimension } = options.encoder
  const writer = await openNpyWriter(temporary, { rows, dimension })
  try {
    for (let first = 0; first < rows; first += blockRows) {
      const block = new Float32Array(Math.min(blockRows, rows - first) * dimension)
      for (let at = first; at < Math.min(first + blockRows, rows); at++) {
        const key = keyAt(texts.hashes, column * rowCount + (chosen?.[at] ?? at))
        if (key !== blankKey) known.read(key, block, (at - first) * dimension)
      }
      await writer.write(block)
    }
  } catch (error) {
    await writer.abandon()
    throw error
  }
  return writer.finish()
}

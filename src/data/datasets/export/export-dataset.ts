/** Writes a dataset of the catalogue to a file. The file appears whole, at the end. */
import { randomUUID } from 'node:crypto'
import { renameSync, rmSync } from 'node:fs'
import type { Catalogue, DatasetName } from '../../catalogue/catalogue.js'
import { hasTextIds } from '../../catalogue/text-ids.js'
import { readContents } from '../../catalogue/contents.js'
import { DatasetMissingError } from '../../../base/errors/index.js'
import { syncFileSync } from '../../../base/util/sync-to-disk.js'
import { exportedRow, type ExportedRow } from './exported-row.js'
import { writeJsonLines } from './write-json-lines.js'

export const exportFormats = ['jsonl', 'parquet'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface ExportOptions {
  readonly dataset: DatasetName
  readonly format: ExportFormat
  readonly file: string
}

/** Resolves to the number of entries. Rejects with a DatasetMissingError. */
export async function exportDataset(
  catalogue: Catalogue,
  { dataset, format, file }: ExportOptions,
): Promise<number> {
  const contents = readContents(catalogue, dataset)
  const info = catalogue.dataset(dataset)
  if (contents === undefined || info === undefined) throw new DatasetMissingError(dataset)
  const { columns, origins = [] } = contents
  function* rows(): Iterable<ExportedRow> {
    for (const row of contents?.rows ?? []) yield exportedRow(row, columns)
  }
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    if (format === 'jsonl') await writeJsonLines(temporary, rows(), dataset)
    else {
      const { writeParquet } = await import('./write-parquet.js')
      const about = { dataset, version: info.version, origins: JSON.stringify(origins) }
      await writeParquet(temporary, rows(), {
        columns,
        hasTextIds: hasTextIds(catalogue, dataset),
        about,
      })
    }
    syncFileSync(temporary)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error instanceof Error && 'code' in error ? Object.assign(error, { path: file }) : error
  }
  return info.rows
}

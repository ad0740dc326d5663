/** Lays writes over a dataset, in their order, with what became of each. */
import type { Catalogue } from '../catalogue/catalogue.js'
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import type { DatasetContents } from '../catalogue/contents.js'
import type { DatasetName } from '../catalogue/dataset.js'
import type { WriteResult } from '../catalogue/write-results.js'
import { createChangedRows, nothing, type Outcome } from './changed-rows.js'
import type { WriteOperation, WriteRecord } from './operation.js'
import type { Refusals } from './refusals.js'

export interface AppliedWrites {
  /** Undefined where the catalogue lacks the dataset. */
  readonly contents: DatasetContents | undefined
  /** The rows that are new or changed. */
  readonly written: readonly CatalogueRow[]
  readonly results: readonly WriteResult[]
}

export interface ApplyOptions {
  /** What is not written, for reasons that the results give. */
  readonly refused?: Refusals
  readonly now?: () => string
}

/**
 * The writes that can be applied at once. A filter is compiled by SQLite, which knows the rows of the catalogue alone: one
 * that follows other writes of its dataset begins the next batch.
 */
export function firstBatch(records: readonly WriteRecord[]): readonly WriteRecord[] {
  const seen = new Set<DatasetName>()
  const end = records.findIndex(({ operation: { kind, dataset } }) => {
    const isBarrier = kind === 'delete-matching' && seen.has(dataset)
    seen.add(dataset)
    return isBarrier
  })
  return end < 0 ? records : records.slice(0, end)
}

/** @param records of the dataset, from `firstBatch` */
export function applyWrites(
  catalogue: Catalogue,
  name: DatasetName,
  records: readonly WriteRecord[],
  { refused = new Map(), now = () => new Date().toISOString() }: ApplyOptions = {},
): AppliedWrites {
  const rows = createChangedRows(catalogue, name, { refused })
  const outcomes = records.map((record) => rows?.apply(record) ?? noDataset(record.operation))
  const finishedAt = now()
  return {
    contents: rows?.contents(),
    written: [...(rows?.changed.values() ?? [])].filter((row) => row !== null),
    results: records.map(({ seq, at, operation: { kind, dataset } }, i) => ({
      seq,
      kind,
      dataset,
      enqueuedAt: at,
      finishedAt,
      ...(outcomes[i] ?? nothing),
    })),
  }
}

function noDataset(operation: WriteOperation): Outcome {
  const reason = `the catalogue has no ${operation.dataset} dataset any more`
  return { ...nothing, failures: idsOf(operation).map((id) => ({ id, reason })) }
}

function idsOf(operation: WriteOperation): readonly number[] {
  switch (operation.kind) {
    case 'put':
      return operation.entries.map(({ id }) => id)
    case 'patch':
      return [operation.id]
    case 'delete':
      return operation.ids
    case 'delete-matching':
      return []
  }
}

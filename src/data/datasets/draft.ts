/** A dataset to write: what goes into the catalogue, and what the report says of it afterwards. */
import type { BuiltDataset } from '../catalogue/build-catalogue.js'
import type { DatasetName } from '../catalogue/catalogue.js'
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import type { DatasetContents } from '../catalogue/contents.js'
import type { WorkKind } from '../../base/config/work-kinds.js'
import type { WorksJoined } from './join-works.js'
import { joinFilterables } from './filterables.js'
import { createLeavingOut, type LeftOut } from './leave-out.js'
import type { MergedDataset, MergedSource } from './merge.js'
import { createUpdate, type UpdateCounts } from './update-rows.js'

export interface ImportedDataset extends BuiltDataset {
  readonly sources: readonly ImportedSource[]
  readonly leftOut: readonly LeftOut[]
  /** What became of the included works; undefined where they did not take part. */
  readonly works: WorksJoined | undefined
  /** What an update did; undefined where the dataset was imported whole. */
  readonly updated: UpdateCounts | undefined
}

export interface ImportedSource extends MergedSource {
  /** Texts that repeat an earlier column and were skipped. */
  readonly repeatedTexts: number
}

export interface Draft {
  readonly contents: DatasetContents
  /** Works once the rows are written. */
  describe(built: BuiltDataset): ImportedDataset
}

export type Counted = (rows: Iterable<CatalogueRow>) => Iterable<CatalogueRow>

export interface DraftOptions {
  readonly leaveOut: readonly WorkKind[]
  readonly counted: Counted
  /** What the catalogue has, where the sources update it. */
  readonly old?: DatasetContents | undefined
}

export function draft(
  name: DatasetName,
  dataset: MergedDataset,
  { leaveOut, counted, old }: DraftOptions,
): Draft {
  const { sources } = dataset
  const update = old && createUpdate(old, dataset)
  const { columns, origins } = update ?? dataset
  const filterables = joinFilterables([...dataset.filterables, ...(old?.filterables ?? [])])
  const leavingOut = createLeavingOut(leaveOut)
  const repeated = sources.map(() => 0)
  function* rows(): Iterable<CatalogueRow> {
    const entries = dataset.entries((source) => {
      repeated[source] = (repeated[source] ?? 0) + 1
    })
    const all = update?.rows(entries) ?? entries
    for (const entry of counted(all)) if (leavingOut.keeps(entry)) yield entry
  }
  return {
    contents: {
      name,
      columns,
      ...(origins && { origins }),
      filterables,
      expectedRows: dataset.workCount + (old?.expectedRows ?? 0),
      rows: rows(),
    },
    describe: (built) => ({
      ...built,
      sources: sources.map((one, source) => ({ ...one, repeatedTexts: repeated[source] ?? 0 })),
      leftOut: leavingOut.counts(),
      works: dataset.works,
      updated: update?.counts,
    }),
  }
}

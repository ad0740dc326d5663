/** Pending writes as a search sees them: segments, and the rows of each catalogue that do not count any more. Never changes. */
import type { Catalogue, DatasetName } from '../../data/catalogue/catalogue.js'

export interface Place {
  readonly catalogue: Catalogue
  readonly row: number
}

/** A catalogue whose rows are searched together with those of others. */
export interface Part {
  readonly catalogue: Catalogue
  /** Rows that do not count. */
  readonly deadRows: (name: DatasetName) => ReadonlySet<number>
}

export interface PendingView {
  /** Rows of the main catalogue that are deleted or replaced. */
  changedRows(name: DatasetName): ReadonlySet<number>
  deletedRows(name: DatasetName): ReadonlySet<number>
  /** Where the entry of a row of the main catalogue is now; undefined for one that is not replaced. */
  replacement(name: DatasetName, row: number): Place | undefined
  /** The segments, the oldest first. */
  readonly segments: readonly Part[]
}

type Ids = Partial<Record<DatasetName, readonly number[]>>

export interface PendingIds {
  readonly deleted: Ids
  /** The oldest first, with the ids of their rows in order. */
  readonly segments: readonly { readonly catalogue: Catalogue; readonly ids: Ids }[]
}

/** An entry counts in the last catalogue that has it, unless it is deleted. */
export function createPendingView(
  main: Pick<Catalogue, 'datasets' | 'rowOfId'>,
  pending: PendingIds,
): PendingView {
  const byDataset = new Map(main.datasets().map(({ name }) => [name, viewOf(main, name, pending)]))
  const noRows: ReadonlySet<number> = new Set()
  return {
    changedRows: (name) => byDataset.get(name)?.changed ?? noRows,
    deletedRows: (name) => byDataset.get(name)?.deleted ?? noRows,
    replacement: (name, row) => byDataset.get(name)?.replaced.get(row),
    segments: pending.segments.map(({ catalogue }, at) => ({
      catalogue,
      deadRows: (name) => byDataset.get(name)?.dead[at] ?? noRows,
    })),
  }
}

function viewOf(
  main: Pick<Catalogue, 'rowOfId'>,
  name: DatasetName,
  { deleted, segments }: PendingIds,
) {
  const gone = new Set(deleted[name])
  const places = new Map<number, Place>()
  const dead = segments.map(() => new Set<number>())
  for (const [at, { catalogue, ids }] of [...segments.entries()].toReversed()) {
    ids[name]?.forEach((id, row) => {
      if (gone.has(id) || places.has(id)) dead[at]?.add(row)
      else places.set(id, { catalogue, row })
    })
  }
  const rowsOf = (ids: Iterable<number>) =>
    new Set([...ids].flatMap((id) => main.rowOfId(name, id) ?? []))
  const replaced = new Map(
    [...places].flatMap(([id, place]) => {
      const row = main.rowOfId(name, id)
      return row === undefined ? [] : [[row, place] as const]
    }),
  )
  const deletedRows = rowsOf(gone)
  return {
    deleted: deletedRows,
    changed: new Set([...deletedRows, ...replaced.keys()]),
    replaced,
    dead,
  }
}

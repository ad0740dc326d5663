/**
 * Entries that no catalogue or no model can take. A write of one fails with a reason, and the others are merged: otherwise
 * one entry would keep all writes after it waiting.
 */
import { TextVectorsError } from '../../base/errors/index.js'
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import type { DatasetName } from '../catalogue/dataset.js'
import type { WriteOperation, WriteRecord } from './operation.js'

/** The reason, by write and entry. */
export type Refusals = ReadonlyMap<string, string>

const keyOf = (seq: number, id: number) => `${seq} ${id}`

export const refusalOf = (refused: Refusals, seq: number, id: number): string | undefined =>
  refused.get(keyOf(seq, id))

/** An entry that cannot be built. */
export interface Unfit {
  readonly dataset: string
  readonly id: number
  /** Of the text at fault; undefined where it is not a text. */
  readonly column?: string
  readonly reason: string
}

/** Entries of the texts that a model gives no vector; none for other errors. */
export function unfitTexts(error: unknown): readonly Unfit[] {
  if (!(error instanceof TextVectorsError)) return []
  return error.texts.map(({ dataset, id, column }) => {
    const reason = `the model ${error.model} gives NaN, infinity or zeros alone for its ${column}`
    return { dataset, id, column, reason }
  })
}

/**
 * Refuses the latest write of each entry that has brought what is at fault.
 * @returns undefined where no write has: another attempt would fail alike
 */
export function refuse(
  refused: Refusals,
  records: readonly WriteRecord[],
  unfit: readonly Unfit[],
): Refusals | undefined {
  const all = new Map(refused)
  for (const { dataset, id, column, reason } of unfit) {
    const writer = records.findLast(
      ({ seq, operation }) =>
        operation.dataset === dataset && !all.has(keyOf(seq, id)) && writes(operation, id, column),
    )
    if (writer !== undefined) all.set(keyOf(writer.seq, id), reason)
  }
  return all.size > refused.size ? all : undefined
}

function writes(operation: WriteOperation, id: number, column: string | undefined): boolean {
  const written =
    operation.kind === 'put'
      ? operation.entries.find((entry) => entry.id === id)
      : operation.kind === 'patch' && operation.id === id
        ? operation.changes
        : undefined
  return written !== undefined && (column === undefined || written.texts?.[column] != null)
}

/**
 * The rows that cannot be built even alone, found by halves.
 * @param build builds a catalogue of the rows, or throws
 */
export function unfitRows(
  dataset: DatasetName,
  rows: readonly CatalogueRow[],
  build: (rows: readonly CatalogueRow[]) => void,
): readonly Unfit[] {
  try {
    build(rows)
    return []
  } catch (error) {
    const [only] = rows
    if (only === undefined) throw error
    if (rows.length === 1) return [{ dataset, id: only.id, reason: reasonOf(error) }]
    const half = rows.length >> 1
    return [rows.slice(0, half), rows.slice(half)].flatMap((some) =>
      unfitRows(dataset, some, build),
    )
  }
}

const reasonOf = (error: unknown) =>
  `the entry cannot be stored: ${error instanceof Error ? error.message : String(error)}`

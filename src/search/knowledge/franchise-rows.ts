/** Works that belong together. */
import type { DatasetFacts } from '../facts/dataset-facts.js'

/** The rows, and all rows of their franchises. */
export function franchiseRows(
  { franchises, franchiseMembers }: Pick<DatasetFacts, 'franchises' | 'franchiseMembers'>,
  rows: readonly number[],
): readonly number[] {
  const numbers = new Set(rows.map((row) => franchises[row] ?? -1).filter((number) => number >= 0))
  if (numbers.size === 0) return rows
  const others = [...numbers].flatMap((number) => [...franchiseMembers(number)])
  return [...new Set([...rows, ...others.sort((one, other) => one - other)])]
}

/** The number of a row's series: its franchise, or below 0 one of its own. */
export function seriesNumber(franchises: Int32Array, row: number): number {
  const franchise = franchises[row] ?? -1
  return franchise < 0 ? -1 - row : franchise
}

/** Rows of a source file with line numbers, before the mapping is applied. */
import type { RawRow } from './field.js'

/** Line numbers start at 1; a row of several lines has the number of its first. */
export type NumberedRow =
  | { readonly line: number; readonly row: RawRow }
  | { readonly line: number; readonly problem: RowProblem }

type RowProblem =
  | 'more fields than the header'
  | 'fewer fields than the header'
  | 'broken JSON'
  | 'removed by its makers'

/** Far above any synopsis. A longer row has a quote that never ends. */
export const maximumRowCharacters = 4 * 1024 * 1024

export function listNames(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ')
}

/** Rows of a source file with line numbers, before any mapping is applied. */
import type { RawRow } from './field.js'

/** Line 1 is the first of the file; a row over several lines has the number of its first. */
export type NumberedRow =
  | { readonly line: number; readonly row: RawRow }
  | { readonly line: number; readonly problem: 'wrong number of fields' | 'broken JSON' }

/** Far above any synopsis; what is longer is a quote that was never closed. */
export const maximumRowCharacters = 4 * 1024 * 1024

export function listNames(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ')
}

/** One entry with all its texts, and its franchise in order. */
import type { Catalogue, DatasetInfo, Entry } from '../catalogue/catalogue.js'
import type { DatasetFacts } from '../facts/dataset-facts.js'
import { franchiseRows } from '../knowledge/franchise-rows.js'

export interface EntryDetails {
  readonly entry: Entry
  /** By column, without blank ones. */
  readonly texts: Readonly<Record<string, string>>
  /** The works of its franchise and itself by year; only itself where it has none. */
  readonly franchise: readonly Entry[]
}

export function readEntryDetails(
  catalogue: Pick<Catalogue, 'entry' | 'text'>,
  { name, columns }: DatasetInfo,
  facts: Pick<DatasetFacts, 'franchises'>,
  row: number,
): EntryDetails {
  const texts = columns.flatMap((column, position) => {
    const text = catalogue.text(name, row, position)
    return text === null ? [] : [[column, text] as const]
  })
  return {
    entry: catalogue.entry(name, row),
    texts: Object.fromEntries(texts),
    franchise: franchiseRows(facts, [row])
      .map((other) => catalogue.entry(name, other))
      // A work of unknown year stands last.
      .sort((one, other) => (one.year ?? 9999) - (other.year ?? 9999) || one.id - other.id),
  }
}

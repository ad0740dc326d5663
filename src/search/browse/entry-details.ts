/** One entry with all its texts, and its franchise in order. */
import type { Catalogue, DatasetInfo, Entry, WorkDataset } from '../../data/catalogue/catalogue.js'
import { popularityRanks } from '../../data/catalogue/popularity-rank.js'
import { textKind } from '../../data/catalogue/text-kinds.js'
import type { DatasetFacts } from '../facts/dataset-facts.js'
import { franchiseRows } from '../knowledge/franchise-rows.js'

export interface EntryDetails {
  readonly entry: Entry
  /** 1 for the best known of the dataset; null where that is not known. */
  readonly popularityRank: number | null
  /** By column, without blank ones and spoilers. */
  readonly texts: Readonly<Record<string, string>>
  /** Texts by column that give its ending away. */
  readonly spoilers: Readonly<Record<string, string>>
  /** The works of its franchise and itself by year; only itself where it has none. */
  readonly franchise: readonly Entry[]
}

/** A work of the same franchise in another dataset, such as the manga of an anime. */
export interface OtherForm {
  readonly dataset: WorkDataset
  readonly entry: Entry
}

export function readEntryDetails(
  catalogue: Pick<Catalogue, 'entry' | 'text'>,
  { name, columns }: DatasetInfo,
  facts: Pick<DatasetFacts, 'franchises' | 'franchiseMembers' | 'popularity'>,
  row: number,
): EntryDetails {
  const texts = columns.flatMap((column, position) => {
    const text = catalogue.text(name, row, position)
    return text === null ? [] : [[column, text] as const]
  })
  const isSpoiler = ([column]: readonly [string, string]) => textKind(column) === 'spoilers'
  return {
    entry: catalogue.entry(name, row),
    popularityRank: popularityRanks(facts.popularity)(row),
    texts: Object.fromEntries(texts.filter((text) => !isSpoiler(text))),
    spoilers: Object.fromEntries(texts.filter(isSpoiler)),
    franchise: franchiseRows(facts, [row])
      .map((other) => catalogue.entry(name, other))
      // A work of unknown year is last.
      .sort((one, other) => (one.year ?? 9999) - (other.year ?? 9999) || one.id - other.id),
  }
}

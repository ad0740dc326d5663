/** Finds the entries that lines of a file of queries name, by id or by title. */
import type { Catalogue, DatasetName } from '../../data/catalogue/catalogue.js'
import { titleKey } from '../../data/datasets/titles.js'
import { DatasetMissingError } from '../../base/errors/index.js'
import { getOrAdd } from '../../base/util/get-or-add.js'

export interface EntryIndex {
  /** None where the catalogue does not have the id. */
  rowOfId(id: number): number | undefined
  /** Rows that have one of the titles. */
  rowsOfTitles(titles: readonly string[]): readonly number[]
}

/**
 * Titles meet as they do in the import: without case, width and punctuation.
 * @throws DatasetMissingError for a dataset that the catalogue does not hold
 */
export function indexEntries(catalogue: Catalogue, dataset: DatasetName): EntryIndex {
  const info = catalogue.dataset(dataset)
  if (info === undefined) throw new DatasetMissingError(dataset)
  const byId = new Map<number, number>()
  const byTitle = new Map<string, number[]>()
  for (let row = 0; row < info.rows; row += 1) {
    const { id, title, facts } = catalogue.entry(dataset, row)
    byId.set(id, row)
    const titles = [title, ...(facts.otherTitles ?? [])]
    for (const key of new Set(titles.map(titleKey))) getOrAdd(byTitle, key, () => []).push(row)
  }
  return {
    rowOfId: (id) => byId.get(id),
    rowsOfTitles: (titles) => [
      ...new Set(titles.flatMap((title) => byTitle.get(titleKey(title)) ?? [])),
    ],
  }
}

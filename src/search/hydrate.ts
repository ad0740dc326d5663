/** Hits as results: what the catalogue knows of each entry beside its rank and similarity. */
import type { Catalogue, DatasetName } from '../catalogue/catalogue.js'
import type { SearchAnswer } from './vector-index.js'

export interface Result {
  /** From 1, over all pages. */
  readonly rank: number
  /** Cosine of the description and the best synopsis. */
  readonly similarity: number
  /** The column of that synopsis. */
  readonly column: string
  readonly synopsis: string | null
  readonly id: number
  readonly title: string
  readonly type: string | null
  readonly genres: readonly string[]
  readonly year: number | null
  /** Further metadata of the entry. */
  readonly [name: string]: unknown
}

/** What a collection's columns are called, and where the catalogue keeps their texts. */
export interface ColumnMap {
  readonly names: readonly string[]
  readonly positions: readonly number[]
}

/** Hits `begin` to `end` (left out) of a search for one query. */
export function hydrate(
  catalogue: Catalogue,
  dataset: DatasetName,
  columns: ColumnMap,
  answer: SearchAnswer,
  begin: number,
  end: number,
): Result[] {
  const results: Result[] = []
  for (let position = begin; position < end; position++) {
    const row = answer.rows[position] ?? 0
    const column = answer.columns[position] ?? 0
    const { id, title, type, genres, year, metadata } = catalogue.entry(dataset, row)
    const known = {
      rank: position + 1,
      similarity: answer.scores[position] ?? 0,
      column: columns.names[column] ?? '',
      synopsis: catalogue.text(dataset, row, columns.positions[column] ?? 0),
      id,
      title,
      type,
      genres,
      year,
    }
    // Spread last and first: a mapping's own `rank` or `id` neither replaces ours nor moves it.
    results.push({ ...known, ...metadata, ...known })
  }
  return results
}

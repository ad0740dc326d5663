/** What a server reads of the catalogue: entries, their texts, and full-text search over both. */
import type { LexicalHit } from '../lexical/top-hits.js'
import type { DatasetInfo, DatasetName } from './dataset.js'
import type { EntryFilter } from './filter.js'
import type { RowMask } from '../util/row-mask.js'

export { datasetNames, type DatasetColumn, type DatasetInfo, type DatasetName } from './dataset.js'

/** Metadata beyond the named members is kept under the names of the mapping. */
export interface Entry {
  readonly id: number
  readonly title: string
  /** Lower-case snake, e.g. `tv`, `movie`, `light_novel`. */
  readonly type: string | null
  readonly genres: readonly string[]
  readonly year: number | null
  /** What its users give it on average, 0 to 10. */
  readonly score: number | null
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface Catalogue {
  datasets(): readonly DatasetInfo[]
  dataset(name: DatasetName): DatasetInfo | undefined
  /** The entry at a row; throws a RangeError outside 0..rows-1. */
  entry(dataset: DatasetName, row: number): Entry
  /** One text, null where blank. `column` is a position in `DatasetInfo.columns`. */
  text(dataset: DatasetName, row: number, column: number): string | null
  /** All texts of a column in row order, blank ones left out. */
  texts(dataset: DatasetName, column: number): IterableIterator<{ row: number; text: string }>
  /** The row of the entry with that id; undefined where there is none. */
  rowOfId(dataset: DatasetName, id: number): number | undefined
  /** Of each row, as `CatalogueRow` has it, NaN where nothing is known; undefined where of no row. */
  popularity(dataset: DatasetName): Float32Array | undefined
  /** Rows of the entries that a site knows by that id, from `anilistId` and `malId` of the metadata. */
  rowsOfSite(dataset: DatasetName, site: 'anilist' | 'mal', id: number): readonly number[]
  /**
   * Rows of the entries that a filter lets pass; undefined where it says nothing, so that all pass.
   * The same filter has the same mask, to be told by its identity, while it is asked for often.
   */
  mask(dataset: DatasetName, filter: EntryFilter): RowMask | undefined
  /**
   * Entries whose title or texts hold words of the query, by bm25; any query text is safe.
   * @param mask rows that may be answered; all when omitted
   */
  lexical(dataset: DatasetName, query: string, limit: number, mask?: RowMask): LexicalHit[]
  /** bm25 of each of the rows, as `lexical` tells it; 0 for one without a word of the query. */
  lexicalScores(dataset: DatasetName, query: string, rows: Uint32Array): Float32Array
  /** Idempotent. */
  close(): void
}

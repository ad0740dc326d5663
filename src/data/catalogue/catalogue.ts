/** The catalogue as a server reads it: entries, their texts, and full-text search. */
import type { RowPasses } from '../../native/addon/row-index.js'
import type { LexicalHit } from '../lexical/bm25.js'
import type { DatasetInfo, DatasetName, Origin } from './dataset.js'
import type { Entry } from './entry.js'
import type { EntryFilter } from './filter.js'
import type { OwnValues } from './own-values.js'
import type { RowFacts } from './row-facts.js'
import type { WorkNames } from './work-names.js'
import type { RowMask } from '../../base/util/row-mask.js'

export {
  datasetPattern,
  expectedName,
  inDatasetOrder,
  isDatasetName,
  isWorkDataset,
  servedDatasets,
  workDatasets,
  type WorkDataset,
  type DatasetColumn,
  type DatasetInfo,
  type DatasetName,
  type Origin,
} from './dataset.js'
export type { Entry } from './entry.js'

export interface Catalogue {
  datasets(): readonly DatasetInfo[]
  dataset(name: DatasetName): DatasetInfo | undefined
  /** Whose data the dataset is made of; none where the import did not tell. */
  origins(name: DatasetName): readonly Origin[]
  /** The entry at a row; throws a RangeError outside 0..rows-1. */
  entry(dataset: DatasetName, row: number): Entry
  /** One text, null where blank. `column` is a position in `DatasetInfo.columns`. */
  text(dataset: DatasetName, row: number, column: number): string | null
  /** All texts of a column in row order, without blank ones. */
  texts(dataset: DatasetName, column: number): IterableIterator<{ row: number; text: string }>
  /** The row of the entry with that id; undefined if there is none. */
  rowOfId(dataset: DatasetName, id: number): number | undefined
  /** Popularity of each row, see `CatalogueRow`; NaN if unknown. Undefined if no row has one. */
  popularity(dataset: DatasetName): Float32Array | undefined
  /** The facts of all entries but their characters, in the index of rows; another object where that was opened again. */
  facts(dataset: DatasetName): RowFacts
  /** The user's own metadata that requests may filter by. */
  ownValues(dataset: DatasetName): OwnValues
  /** What names works, in the index of rows; another object where that was opened again. */
  workNames(dataset: DatasetName): WorkNames
  /** Rows of the entries that a site knows by that id, from `anilistId` and `malId` of the metadata. */
  rowsOfSite(dataset: DatasetName, site: 'anilist' | 'mal', id: number): readonly number[]
  /**
   * Rows that pass a filter; undefined for an empty filter. Recent filters return the same mask object, so
   * that callers can compare masks by identity.
   */
  mask(dataset: DatasetName, filter: EntryFilter): RowMask | undefined
  /**
   * Entries whose title or texts contain words of the query, ordered by bm25. Any text is a valid query.
   * @param mask rows to search; all if omitted
   */
  lexical(
    dataset: DatasetName,
    query: string,
    limit: number,
    mask?: RowMask,
  ): Promise<readonly LexicalHit[]>
  /** bm25 of each of the rows, as in `lexical`; 0 for a row without a word of the query. */
  lexicalScores(dataset: DatasetName, query: string, rows: Uint32Array): Promise<Float32Array>
  /** The numbers of the query's stems in the index of rows, each once. */
  stemsOf(dataset: DatasetName, query: string): Uint32Array
  /** Passes over all rows of a dataset; they reject with a CatalogueError, too. */
  rowPasses(dataset: DatasetName): RowPasses
  /** Every row with a word of the query in its title or texts, ascending. */
  rowsWith(dataset: DatasetName, query: string): Uint32Array
  /**
   * Opens the index of a dataset's rows, which words and names are looked up in; the first use does so, too. Where a catalogue has
   * none, it is built, which takes seconds for a large dataset.
   */
  openRowIndex(dataset: DatasetName): void
  /** Builds the file of that index again; throws the system's errors. */
  buildRowIndex(dataset: DatasetName): void
  /** Idempotent. */
  close(): void
}

/**
 * The seam between search and the store of vectors. The embedded default is the native
 * collection; nothing above this interface may assume a local file.
 */
import type { RowMask } from '../../base/util/row-mask.js'
import type { VerifyOptions } from './verify.js'

/** Rows are catalogue rows; columns are positions in `VectorIndex.columns`. */
export interface SearchResult {
  /** Row of hit j of query i at `rows[i * k + j]`; valid for j < counts[i]. */
  readonly rows: Uint32Array
  /** Column of each hit, laid out like `rows`. */
  readonly columns: Uint16Array
  /** Exact cosine of each hit, laid out like `rows`. */
  readonly scores: Float32Array
  /** Hits of each query, at most k. */
  readonly counts: Uint32Array
  /** The device that found them, such as `cuda:0`; absent: the processor did. */
  readonly device?: string
}

export interface SearchOptions {
  readonly mask?: RowMask | undefined
  /** Positions in `VectorIndex.columns` to search; all when omitted. */
  readonly columns?: readonly number[]
  /** Each entry once, with its best column (default); false: (row, column) pairs. */
  readonly distinct?: boolean
  /** Aborting drops the work; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface IndexStats {
  /** Rows with at least one valid vector. */
  readonly validRows: number
  /** Valid vectors of each column: not blank, zero, NaN or infinite. */
  readonly validVectors: readonly number[]
  /** Bytes of float32 that are mapped. */
  readonly mappedBytes: number
  /** Vectors that searches scored exactly so far, one for each query. */
  readonly pairsScored?: number
  /** Of quantized codes, and of float32 without codes, that the processor has scanned so far. */
  readonly scannedBytes?: number
  /** The quantized codes of each column; null: it has none. */
  readonly codes?: readonly (CodesStats | RefusedCodes | null)[]
}

/** A small quantized copy of a column that rules rows out. */
export interface CodesStats {
  /** Bits a dimension: 4 or 8. */
  readonly bits: number
  readonly bytes: number
  /** Rows that a search for ten was expected to score exactly when the codes were made. */
  readonly predictedCandidates: number
}

/** Quantized codes that are there and not used, such as those made from another matrix. */
export interface RefusedCodes {
  readonly refused: Error
}

export interface VectorIndex {
  readonly rows: number
  readonly dimension: number
  /** Names of the synopsis columns, in the order of the results' column numbers. */
  readonly columns: readonly string[]
  /** Whether searches side by side are as quick as one of all their queries; absent: they are not. */
  readonly concurrent?: boolean
  /**
   * The first k of the total order (score descending, row ascending, column ascending).
   * @param queries count x dimension, row-major; any scale, never zero, NaN or infinite
   */
  search(
    queries: Float32Array,
    count: number,
    k: number,
    options?: SearchOptions,
  ): Promise<SearchResult>
  /** Rows with at least one valid vector. */
  validRows(): RowMask
  /**
   * The vectors of a row, one a column, zeros where there is no valid one: columns x dimension.
   * Rejects with a RangeError outside 0..rows-1.
   */
  vectors(row: number): Promise<Float32Array>
  stats(): IndexStats
  /**
   * Checks what is searched against the hashes that it was written with; returns the bytes that were
   * read. Rejects with what is wrong. Absent: there is nothing to check.
   */
  verify?(options: VerifyOptions): Promise<number>
  /** Idempotent; searches in flight finish. */
  close(): void
}

/** What puts candidates in order: a cross-encoder, or the built-in ranker. */
import type { DatasetInfo } from '../catalogue/catalogue.js'

export interface RankRequest {
  readonly dataset: DatasetInfo
  /** Trimmed, not empty. */
  readonly query: string
  /** Entries to score, each once. */
  readonly rows: Uint32Array
  /** Pairs of query and text scored at once. */
  readonly batchSize: number
  /** Aborting drops the work that has not begun; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

export interface RankedRows {
  /** One a row, 0 to 1: that of its best text, and 0 where it has none. */
  readonly scores: Float32Array
  /** Column of each row's best text; the lowest of those that are as good. */
  readonly columns: Uint16Array
  /** What was done otherwise than asked. */
  readonly warnings: readonly string[]
}

export interface Ranker {
  /** What it runs on, such as `cpu`. */
  readonly device: string
  rank(request: RankRequest): Promise<RankedRows>
}

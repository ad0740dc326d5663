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
  /** One a row, that of its best text: by it rows are put in order, the highest first. */
  readonly merits: Float32Array
  /** The score of 0 to 1 that a merit stands for; a higher merit has no lower score. */
  readonly scoreOf: (merit: number) => number
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

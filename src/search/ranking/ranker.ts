/** A ranker orders candidates: a cross-encoder, or the built-in one. */
import type { QueryFit } from '../knowledge/query-fit.js'
import type { SimilarRows } from './first-stage.js'
import type { DatasetInfo } from '../../data/catalogue/catalogue.js'

interface RankRequest {
  readonly dataset: DatasetInfo
  /** Trimmed, not empty. */
  readonly query: string
  /** Whether the query is in another language than English. */
  readonly isOther?: boolean | undefined
  /** What is near the query by --search-encoder or the model of other languages; what needs it compares it where it is absent. */
  readonly similar?: SimilarRows | undefined
  /** Entries to score, each once. */
  readonly rows: Uint32Array
  /** Of the query and each row; what needs it computes it where it is absent. */
  readonly bm25?: Float32Array | undefined
  /** How well each row of the dataset fits what is read from the query; only the built-in ranker weighs it. */
  readonly fit?: QueryFit | undefined
  /** Pairs of query and text scored at once. */
  readonly batchSize: number
  /** Aborting drops the work that has not begun; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

export interface RankedRows {
  /** One a row, the score of its best text. Rows are ordered by it, the highest first. */
  readonly scores: Float32Array
  /** The part of each score that the texts make; the scores themselves where nothing else counts. */
  readonly textScores: Float32Array
  /** Maps a score to 0 to 1. Monotonic, but not strictly: it may round two scores to one number. */
  readonly toProbability: (score: number) => number
  /** Column of each row's best text; the lowest column among equals. */
  readonly columns: Uint16Array
  /** Whether even the best works hardly fit; absent where the ranker cannot say. */
  readonly nothingFits?: boolean
  /** Where the result differs from the request. */
  readonly warnings: readonly string[]
}

export interface Ranker {
  /** What it runs on, such as `cpu`. */
  readonly device: string
  rank(request: RankRequest): Promise<RankedRows>
}

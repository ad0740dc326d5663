/** A cross-encoder in a worker thread of its own: a query and texts in, a score a pair out. */
import type { MetricsSink } from '../../base/observability/metrics-sink.js'
import { sumOf } from '../../base/util/sum.js'
import { openWorkerEncoder } from './worker-encoder.js'

interface ScoreOptions {
  /** Pairs that the model reads at once; fewer where they are so long that memory would not do. */
  readonly batchSize: number
  /** Aborting drops the batches that have not begun; the promise rejects with the reason. */
  readonly signal?: AbortSignal | undefined
}

interface PairScores {
  /** One a text, 0 to 1. */
  readonly scores: Float32Array
  /** Tokens of all pairs, as the model read them. */
  readonly tokens: number
  /** Texts that were cut to what the model reads in addition to the query. */
  readonly textsTruncated: number
  /** Pairs in which the query was cut too. */
  readonly queriesTruncated: number
}

export interface CrossEncoder {
  readonly model: string
  /** Longest pair in tokens, special tokens included. */
  readonly maxTokens: number
  /** `cpu` or `cuda:N`. */
  readonly device: string
  score(query: string, texts: readonly string[], options: ScoreOptions): Promise<PairScores>
  /** Idempotent; work in flight is rejected. */
  close(): Promise<void>
}

export interface CrossEncoderOptions {
  /** What errors call it. */
  readonly model: string
  readonly folder: string
  readonly threads: number
  /** `cpu` or `cuda:N`. */
  readonly device: string
  readonly metrics?: Pick<MetricsSink, 'batch'> | undefined
}

/** Resolves when the model is loaded; rejects with a ModelLoadError. */
export async function openCrossEncoder({
  metrics,
  ...options
}: CrossEncoderOptions): Promise<CrossEncoder> {
  const worker = await openWorkerEncoder({ ...options, kind: 'cross-encoder' }, metrics)
  return {
    model: worker.model,
    maxTokens: worker.maxTokens,
    device: worker.device,
    async score(query, texts, { batchSize, signal }) {
      const { vectors, tokens, truncated, queriesTruncated } = await worker.encode(texts, {
        pairs: { query, batchSize },
        signal,
      })
      return { scores: vectors, tokens: sumOf(tokens), textsTruncated: truncated, queriesTruncated }
    },
    close: () => worker.close(),
  }
}

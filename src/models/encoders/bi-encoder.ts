/** A bi-encoder that ranks as a cross-encoder does: a pair scores the cosine of its vectors, moved to 0 to 1. */
import { cosine } from '../../base/util/cosine.js'
import { sumOf } from '../../base/util/sum.js'
import type { CrossEncoder, CrossEncoderOptions } from './cross-encoder.js'
import { openWorkerEncoder } from './worker-encoder.js'

/** Resolves when the model is loaded; rejects with a ModelLoadError. */
export async function openBiEncoder({
  metrics,
  ...options
}: CrossEncoderOptions): Promise<CrossEncoder> {
  const worker = await openWorkerEncoder(options, metrics)
  const { model, maxTokens, device, dimension } = worker
  return {
    model,
    maxTokens,
    device,
    async score(query, texts, { signal }) {
      const [queries, read] = await Promise.all([
        worker.encode([query], { signal }),
        worker.encode(texts, { signal, priority: 'bulk' }),
      ])
      const vectorOf = (text: number) =>
        read.vectors.subarray(text * dimension, (text + 1) * dimension)
      return {
        scores: Float32Array.from(
          texts,
          (_, text) => (1 + cosine(queries.vectors, vectorOf(text))) / 2,
        ),
        tokens: sumOf(queries.tokens) + sumOf(read.tokens),
        textsTruncated: read.truncated,
        queriesTruncated: queries.truncated * texts.length,
      }
    },
    close: () => worker.close(),
  }
}

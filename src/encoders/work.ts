/** The two steps of a job in a worker. A failure belongs to the jobs it struck, not to the worker. */
import type { Model } from './model.js'
import { nowMs } from './protocol.js'
import type { Piece, Text } from './queue.js'

/** Answers the texts that the model has to read; the vectors of texts without tokens stay zero. */
export async function tokenizeWave(model: Model, wave: readonly Text[]): Promise<Piece[]> {
  return timed('tokenizeMs', wave, async () => {
    const texts = wave.map(({ job, index }) => job.request.texts[index] ?? '')
    // A wave of pairs is of one job.
    const tokenized = await model.tokenize(texts, wave[0]?.job.request.pairs)
    const pieces = wave.map(({ job, index }, position) => {
      const { ids = [], types, truncated, queryTruncated } = tokenized[position] ?? {}
      job.tokens[index] = ids.length
      if (truncated) job.truncated += 1
      if (queryTruncated) job.queriesTruncated += 1
      const { idsOnly = false } = job.request
      if (idsOnly) job.ids[index] = ids
      if (idsOnly || ids.length === 0) job.open -= 1
      return { job, index, ids, types }
    })
    return pieces.filter(({ job, ids }) => ids.length > 0 && job.request.idsOnly !== true)
  })
}

export async function embedBatch(model: Model, batch: readonly Piece[]): Promise<void> {
  await timed('inferMs', batch, async () => {
    const vectors = await model.embed(batch)
    const { dimension } = model
    batch.forEach(({ job, index }, row) => {
      const vector = vectors.subarray(row * dimension, (row + 1) * dimension)
      job.vectors.set(vector, index * dimension)
      job.open -= 1
    })
    return []
  })
}

async function timed(
  timing: 'tokenizeMs' | 'inferMs',
  texts: readonly Text[],
  step: () => Promise<Piece[]>,
): Promise<Piece[]> {
  const jobs = new Set(texts.map((text) => text.job))
  const startMs = nowMs()
  try {
    return await step()
  } catch (error) {
    for (const job of jobs) {
      job.error = error instanceof Error ? error.message : String(error)
      job.cancelled = true
      job.open = 0
    }
    return []
  } finally {
    const spentMs = nowMs() - startMs
    for (const job of jobs) job[timing] += spentMs
  }
}

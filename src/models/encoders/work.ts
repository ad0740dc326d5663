/** The two steps of a job in a worker. A failure belongs to the jobs it struck, not to the worker. */
import { isFiniteVector } from '../format/finite.js'
import type { Model } from './model.js'
import { nowMs } from './protocol.js'
import type { Piece, Text } from './queue.js'
import type { TokenizedText } from './tokenizer.js'

/** Returns the texts that the model has to read; the vectors of texts without tokens stay zero. */
export async function tokenizeWave(model: Model, wave: readonly Text[]): Promise<Piece[]> {
  const pieces = await timed('tokenizeMs', wave, async () => {
    const inputs = wave.map(({ job, index }) => job.request.texts[index] ?? '')
    const texts = inputs.filter((input) => typeof input === 'string')
    // A wave of pairs is of one job.
    const tokenized = (await model.tokenize(texts, wave[0]?.job.request.pairs)).values()
    const pieces = wave.map(({ job, index }, position) => {
      const input = inputs[position] ?? ''
      const read = typeof input === 'string' ? tokenized.next().value : cutIds(input, model)
      const { ids = [], types, truncated, queryTruncated } = read ?? {}
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
  return pieces ?? []
}

const cutIds = (
  ids: readonly number[],
  { maxTokens }: Pick<Model, 'maxTokens'>,
): TokenizedText => ({
  ids: ids.slice(0, maxTokens),
  truncated: ids.length > maxTokens,
})

/** Returns whether the model has read the batch. */
export async function embedBatch(model: Model, batch: readonly Piece[]): Promise<boolean> {
  const vectors = await timed('inferMs', batch, () => model.embed(batch))
  if (vectors === undefined) return false
  const { dimension } = model
  batch.forEach(({ job, index }, row) => {
    const vector = vectors.subarray(row * dimension, (row + 1) * dimension)
    if (isFiniteVector(vector)) job.vectors.set(vector, index * dimension)
    else {
      job.error = 'the model gives numbers that are not finite'
      job.badTexts.push(index)
    }
    job.open -= 1
  })
  return true
}

/** Returns undefined where the step fails; its jobs have the error then. */
async function timed<T>(
  timing: 'tokenizeMs' | 'inferMs',
  texts: readonly Text[],
  step: () => Promise<T>,
): Promise<T | undefined> {
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
    return undefined
  } finally {
    const spentMs = nowMs() - startMs
    for (const job of jobs) job[timing] += spentMs
  }
}

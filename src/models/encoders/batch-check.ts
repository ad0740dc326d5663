/**
 * Whether a text's vector depends on the other texts of its batch. Networks whose activations are quantized
 * with one scale a batch do that, by a cosine of 0.99: such a model reads one text at a time, or the same text would be
 * found differently under load, and every build would differ.
 */
import { cosine } from '../../base/util/cosine.js'
import type { TokenRow } from './session.js'

export interface BatchCheckedModel {
  tokenize(texts: readonly string[]): Promise<readonly TokenRow[]>
  embed(batch: readonly TokenRow[]): Promise<Float32Array>
}

/** Of different lengths and words, so that their activations are, too. */
const texts = [
  'a teacher',
  'Two brothers search for a stone that gives back what they have lost.',
  'BREAKING!!! 1,000,000 robots invade Tokyo; a shy girl, her cat & an old samurai must stop them before midnight.',
]

/** Few enough for a model of a small context. */
const maxTokens = 30

/** What float32, or numbers of 16 bits, sum in another order differs by far less. */
const minCosine = 0.9999

/** The least cosine of a text's vector alone and in a batch; 1 where the model reads no token of the texts. */
export async function cosineInBatch(model: BatchCheckedModel): Promise<number> {
  const rows = (await model.tokenize(texts)).flatMap(({ ids }) =>
    ids.length > 0 ? [{ ids: ids.slice(0, maxTokens) }] : [],
  )
  if (rows.length < 2) return 1
  const together = await model.embed(rows)
  const dimension = together.length / rows.length
  let least = 1
  for (const [i, row] of rows.entries()) {
    const alone = await model.embed([row])
    const found = cosine(alone, together.subarray(i * dimension, (i + 1) * dimension))
    // NaN of two vectors without a direction, which are equal.
    if (found < least) least = found
  }
  return least
}

export const dependsOnBatch = (cosineInBatch: number): boolean => cosineInBatch < minCosine

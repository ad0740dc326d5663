/** Several texts as one batch, in which a text that the model cannot encode spoils no other. */
import { EncoderError } from '../../base/errors/index.js'
import type { Encoder, EncodeOptions, Encoding } from './encoder.js'

export interface EachEncoded {
  /** In the order of the texts; an error for each that has no finite vector. */
  readonly vectors: readonly (Float32Array | EncoderError)[]
  readonly timings: Encoding['timings']
}

/** Rejects where the model fails on the whole. */
export async function encodeEach(
  encoder: Pick<Encoder, 'encode' | 'dimension'>,
  texts: readonly string[],
  options?: EncodeOptions,
): Promise<EachEncoded> {
  try {
    const { vectors, timings } = await encoder.encode(texts, options)
    const { dimension } = encoder
    const each = texts.map((_, i) => vectors.subarray(i * dimension, (i + 1) * dimension))
    return { vectors: each, timings }
  } catch (error) {
    if (!(error instanceof EncoderError) || error.texts.length === 0) throw error
    const bad = new Set(error.texts)
    const rest = texts.filter((_, i) => !bad.has(i))
    const encoded = rest.length === 0 ? nothing : await encodeEach(encoder, rest, options)
    const sound = encoded.vectors.values()
    return {
      vectors: texts.map((_, i) => (bad.has(i) ? error : (sound.next().value ?? error))),
      timings: encoded.timings,
    }
  }
}

const nothing: EachEncoded = { vectors: [], timings: { queueMs: 0, tokenizeMs: 0, inferMs: 0 } }

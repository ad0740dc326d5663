/**
 * Many texts through an encoder's queue. One text is as urgent as a search's query. More are bulk work, in
 * slices: between them the requests of others have their turn, and what is cancelled ends soon.
 */
import type { Encoder, Encoding, TextInput } from '../../models/encoders/encoder.js'
import { ValidationError } from '../../base/errors/index.js'
import { sumOf } from '../../base/util/sum.js'
import type { EncodeTimings } from './inference.js'

/** Enough for a few waves of a worker, which sorts texts by length within a wave. */
const sliceTexts = 512
/** While one slice is read, the next waits in the worker's queue. */
const slicesAtOnce = 2

export interface EncodedTexts {
  /** Texts x dimension. */
  readonly vectors: Float32Array
  readonly tokens: number
  readonly truncated: number
  readonly timings: EncodeTimings
}

/** Rejects with a ValidationError where an id is none of the tokenizer's, or as `encode` does. */
export async function embedTexts(
  encoder: Encoder,
  received: readonly TextInput[],
  signal: AbortSignal | undefined,
): Promise<EncodedTexts> {
  const inputs = readIds(encoder, received)
  const priority = inputs.length === 1 ? 'interactive' : 'bulk'
  if (inputs.length <= sliceTexts) {
    const { tokens, ...encoded } = await encoder.encode(inputs, { signal, priority })
    return { ...encoded, tokens: sumOf(tokens) }
  }
  const vectors = new Float32Array(inputs.length * encoder.dimension)
  const parts: Encoding[] = []
  let next = 0
  const encodeSlices = async () => {
    while (next < inputs.length) {
      const begin = next
      next += sliceTexts
      const slice = inputs.slice(begin, next)
      const part = await encoder.encode(slice, { signal, priority }).catch((error: unknown) => {
        next = Infinity
        throw error
      })
      vectors.set(part.vectors, begin * encoder.dimension)
      parts.push(part)
    }
  }
  await Promise.all(Array.from({ length: slicesAtOnce }, encodeSlices))
  return { vectors, ...totalOf(parts) }
}

function totalOf(parts: readonly Encoding[]): Omit<EncodedTexts, 'vectors'> {
  const sum = (value: (part: Encoding) => number) =>
    parts.reduce((total, part) => total + value(part), 0)
  return {
    tokens: sum(({ tokens }) => sumOf(tokens)),
    truncated: sum(({ truncated }) => truncated),
    timings: {
      queueMs: parts[0]?.timings.queueMs ?? 0,
      tokenizeMs: sum(({ timings }) => timings.tokenizeMs),
      inferMs: sum(({ timings }) => timings.inferMs),
    },
  }
}

/** As the model reads them. Ids of another tokenizer would be rows that it does not have, or of other words. */
const readIds = ({ model, vocabulary }: Encoder, inputs: readonly TextInput[]): TextInput[] =>
  inputs.map((input) => {
    if (typeof input === 'string') return input
    const { size, before, after, areRead } = vocabulary
    const strange = input.find((id) => id >= size)
    if (strange !== undefined) throw strangeIds(model, `below ${size}`, String(strange))
    const end = input.length - after.length
    const isMarked =
      end > before.length &&
      before.every((id, at) => input[at] === id) &&
      after.every((id, at) => input[end + at] === id)
    if (!isMarked) {
      const marks = [...before, '…', ...after].join(', ')
      throw strangeIds(model, `with its special tokens (${marks})`, 'others')
    }
    return areRead ? input : input.slice(before.length, end)
  })

const strangeIds = (model: string, expected: string, received: string) =>
  new ValidationError([
    {
      path: 'input',
      message:
        `expected token ids ${expected}, those of the tokenizer of ${model}, received ${received}; ` +
        'send texts where the client counts by another tokenizer',
    },
  ])

/** The first numbers of each vector, at length 1 again. */
export function shortenVectors(
  vectors: Float32Array,
  dimension: number,
  shorter: number,
): Float32Array {
  const count = vectors.length / dimension
  const short = new Float32Array(count * shorter)
  for (let row = 0; row < count; row += 1) {
    const begin = row * dimension
    short.set(vectors.subarray(begin, begin + shorter), row * shorter)
  }
  return normalizeRows(short, shorter)
}

/** In place. A vector of zeros stays as it is, and so does one whose length is 1 within the precision of float32. */
export function normalizeRows(vectors: Float32Array, dimension: number): Float32Array {
  for (let begin = 0; begin < vectors.length; begin += dimension) {
    const vector = vectors.subarray(begin, begin + dimension)
    const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
    if (norm === 0 || Math.abs(norm - 1) < 1e-6) continue
    vector.forEach((value, position) => (vector[position] = value / norm))
  }
  return vectors
}

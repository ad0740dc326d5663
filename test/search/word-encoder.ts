/** An Encoder that counts words: each word owns one of 64 places. Words of digits are unknown to it. */
import type { EncodeOptions, Encoder, Encoding, Tokens } from '#synoptic/models/encoders/encoder.js'
import { noVocabulary } from '#synoptic/models/encoders/vocabulary.js'

export const wordDimension = 64

export function wordVector(text: string): Float32Array {
  const vector = new Float32Array(wordDimension)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
    const place = hash % wordDimension
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

export class WordEncoder implements Encoder {
  readonly maxTokens = 512
  readonly vocabulary = noVocabulary
  readonly device = 'cpu'
  readonly revision = 'words'
  readonly dimension = wordDimension
  /** Descriptions that it received. */
  readonly encoded: string[] = []
  /** While set, encoding waits for it. */
  hold: Promise<void> | undefined
  /** Signals that were aborted while it held. */
  aborted = 0

  constructor(readonly model: string) {}

  async encode(texts: readonly string[], { signal }: EncodeOptions = {}): Promise<Encoding> {
    this.encoded.push(...texts)
    signal?.addEventListener('abort', () => (this.aborted += 1))
    await this.hold
    signal?.throwIfAborted()
    const vectors = new Float32Array(texts.length * wordDimension)
    texts.forEach((text, i) => vectors.set(wordVector(text), i * wordDimension))
    return {
      vectors,
      tokens: new Uint32Array(texts.length),
      truncated: 0,
      timings: { queueMs: 0.25, tokenizeMs: 0.125, inferMs: 0.5 },
    }
  }

  tokenize(): Promise<Tokens> {
    return Promise.reject(new Error('its words have no numbers'))
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

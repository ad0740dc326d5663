/**
 * Vectors of recent queries: people page, try again and share links. The key is model, revision of its
 * files and text; the least recently used go when the memory is full.
 */
import { LRUCache } from 'lru-cache'
import type { Encoder, Encoding } from '../encoders/encoder.js'
import { EncoderError } from '../../base/errors/index.js'
import type { MetricsSink } from '../../base/observability/metrics-sink.js'

export interface QueryCache {
  /** The same encoder, which takes the vectors of queries from the cache where it has them. */
  wrap(encoder: Encoder): Encoder
  /** Bytes that are in use, an estimate from above. */
  bytes(): number
}

export interface QueryCacheOptions {
  /** 0 keeps nothing. */
  readonly limitBytes: number
  readonly metrics?: Pick<MetricsSink, 'query'>
}

/** Objects, an entry of the cache and two typed arrays. */
const entryBytes = 512

export function createQueryCache({ limitBytes, metrics }: QueryCacheOptions): QueryCache {
  // The cache takes no limit of 0; it stays empty then.
  const encodings = new LRUCache<string, Encoding>({
    maxSize: Math.max(1, limitBytes),
    sizeCalculation: ({ vectors, tokens }, key) =>
      entryBytes + 2 * key.length + vectors.byteLength + tokens.byteLength,
  })

  return {
    bytes: () => encodings.calculatedSize,
    wrap(encoder) {
      if (limitBytes === 0) return encoder
      return {
        model: encoder.model,
        dimension: encoder.dimension,
        maxTokens: encoder.maxTokens,
        vocabulary: encoder.vocabulary,
        get device() {
          return encoder.device
        },
        revision: encoder.revision,
        async encode(texts, options = {}) {
          const isCached = texts.length > 0 && options.priority !== 'bulk'
          if (!isCached || !texts.every((text) => typeof text === 'string')) {
            return encoder.encode(texts, options)
          }
          options.signal?.throwIfAborted()
          const keys = texts.map(
            (text) => `${encoder.model} ${encoder.revision} ${options.as ?? ''} ${text}`,
          )
          const found = keys.map((key) => encodings.get(key))
          for (const cached of found) metrics?.query(encoder.model, cached !== undefined)
          const [first] = found
          if (first !== undefined && found.length === 1) return first
          const missing = [...found.keys()].filter((i) => found[i] === undefined)
          if (missing.length === 0) return joined(found, encoder.dimension)
          const rest = missing.map((i) => texts[i] ?? '')
          const encoding = await encoder.encode(rest, options).catch((error: unknown) => {
            throw renumbered(error, missing)
          })
          for (const [position, i] of missing.entries()) {
            const kept = { ...partOf(encoding, position, encoder.dimension), timings: noTime }
            found[i] = kept
            // The model does not say which of several texts were cut.
            if (texts.length === 1 || encoding.truncated === 0) encodings.set(keys[i] ?? '', kept)
          }
          if (missing.length === texts.length) return encoding
          const { truncated, timings } = encoding
          return { ...joined(found, encoder.dimension), truncated, timings }
        },
        tokenize: (texts, options) => encoder.tokenize(texts, options),
        close: () => encoder.close(),
      }
    },
  }
}

/** What comes from the cache takes none. */
const noTime = { queueMs: 0, tokenizeMs: 0, inferMs: 0 }

/** What the encoding of text `i` alone would be, if no text was cut. */
function partOf(encoding: Encoding, i: number, dimension: number): Encoding {
  const { vectors, tokens } = encoding
  if (tokens.length === 1) return encoding
  return {
    ...encoding,
    vectors: vectors.slice(i * dimension, (i + 1) * dimension),
    tokens: tokens.slice(i, i + 1),
    truncated: 0,
  }
}

function joined(parts: readonly (Encoding | undefined)[], dimension: number): Encoding {
  const vectors = new Float32Array(parts.length * dimension)
  const tokens = new Uint32Array(parts.length)
  for (const [i, part] of parts.entries()) {
    if (part === undefined) continue
    vectors.set(part.vectors, i * dimension)
    tokens.set(part.tokens, i)
  }
  const truncated = parts.reduce((sum, part) => sum + (part?.truncated ?? 0), 0)
  return { vectors, tokens, truncated, timings: noTime }
}

/** The texts that failed, by their positions in the whole request. */
function renumbered(error: unknown, positions: readonly number[]): unknown {
  if (!(error instanceof EncoderError) || error.texts.length === 0) return error
  const { model, reason, detail, texts } = error
  return new EncoderError(model, reason, detail, {
    cause: error,
    texts: texts.map((text) => positions[text] ?? text),
  })
}

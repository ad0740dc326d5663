/**
 * Vectors of recent queries: people page, try again and share links. The key is model, revision of its
 * files and text; the least recently used go when the memory is full.
 */
import { LRUCache } from 'lru-cache'
import type { Encoder, Encoding } from '../encoders/encoder.js'
import type { MetricsSink } from '../observability/metrics-sink.js'

export interface QueryCache {
  /** The same encoder, which takes the vectors of single texts from the cache where it has them. */
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
          const [text] = texts
          const isQuery = texts.length === 1 && options.priority !== 'bulk'
          if (typeof text !== 'string' || !isQuery) return encoder.encode(texts, options)
          options.signal?.throwIfAborted()
          const key = `${encoder.model} ${encoder.revision} ${text}`
          const cached = encodings.get(key)
          metrics?.query(encoder.model, cached !== undefined)
          if (cached !== undefined) return cached
          const encoding = await encoder.encode(texts, options)
          encodings.set(key, { ...encoding, timings: noTime })
          return encoding
        },
        tokenize: (texts, options) => encoder.tokenize(texts, options),
        close: () => encoder.close(),
      }
    },
  }
}

/** What comes from the cache takes none. */
const noTime = { queueMs: 0, tokenizeMs: 0, inferMs: 0 }

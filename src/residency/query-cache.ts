/**
 * Vectors of queries that were encoded before: people page, try again and share links. Kept by model,
 * revision of its files and text; those used longest ago go when the memory is full.
 */
import type { Encoder, Encoding } from '../encoders/encoder.js'
import type { MetricsSink } from '../observability/metrics-sink.js'

export interface QueryCache {
  /** The same encoder; what it is asked of single texts is answered from memory where that is known. */
  wrap(encoder: Encoder): Encoder
  /** Bytes that are in use, an estimate from above. */
  bytes(): number
}

export interface QueryCacheOptions {
  /** 0 keeps nothing. */
  readonly limitBytes: number
  readonly meter?: Pick<MetricsSink, 'query'>
}

interface Entry {
  readonly encoding: Encoding
  readonly bytes: number
}

/** Objects, a place in the map and two typed arrays. */
const entryBytes = 512

export function createQueryCache({ limitBytes, meter }: QueryCacheOptions): QueryCache {
  const entries = new Map<string, Entry>()
  let bytes = 0

  function find(key: string): Encoding | undefined {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    // A map keeps the order of insertion: the first is the one used longest ago.
    entries.delete(key)
    entries.set(key, entry)
    return entry.encoding
  }

  function keep(key: string, encoding: Encoding): void {
    const { vectors, tokens } = encoding
    const size = entryBytes + 2 * key.length + vectors.byteLength + tokens.byteLength
    forget(key)
    entries.set(key, { encoding, bytes: size })
    bytes += size
    for (const oldest of entries.keys()) {
      if (bytes <= limitBytes) break
      forget(oldest)
    }
  }

  function forget(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    bytes: () => bytes,
    wrap(encoder) {
      if (limitBytes === 0) return encoder
      return {
        model: encoder.model,
        dimension: encoder.dimension,
        maxTokens: encoder.maxTokens,
        device: encoder.device,
        revision: encoder.revision,
        async encode(texts, options = {}) {
          const [text] = texts
          const isQuery = texts.length === 1 && options.priority !== 'bulk'
          if (text === undefined || !isQuery) return encoder.encode(texts, options)
          options.signal?.throwIfAborted()
          const key = `${encoder.model} ${encoder.revision} ${text}`
          const known = find(key)
          meter?.query(encoder.model, known !== undefined)
          if (known !== undefined) return known
          const encoding = await encoder.encode(texts, options)
          keep(key, { ...encoding, timings: noTime })
          return encoding
        },
        tokenize: (texts, options) => encoder.tokenize(texts, options),
        close: () => encoder.close(),
      }
    },
  }
}

/** What is known takes none. */
const noTime = { queueMs: 0, tokenizeMs: 0, inferMs: 0 }

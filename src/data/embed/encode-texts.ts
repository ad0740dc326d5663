/** Encodes the texts that have no vector yet, several requests at a time. */
import { setMaxListeners } from 'node:events'
import type { Catalogue, DatasetName } from '../catalogue/catalogue.js'
import type { Encoder, Encoding } from '../../models/encoders/encoder.js'
import { EncoderError, TextVectorsError, type UnfitText } from '../../base/errors/index.js'
import { isZeroVector } from '../../models/format/finite.js'
import type { Journal } from './journal.js'
import type { TextLocation } from './texts.js'

export interface EncodeProgress {
  readonly phase: 'encode'
  readonly done: number
  readonly total: number
  /** Share of the work that is done, by the texts' lengths: long texts take longer. */
  readonly share: number
}

export interface EncodeTextsOptions {
  readonly catalogue: Catalogue
  readonly dataset: DatasetName
  readonly encoder: Encoder
  readonly journal: Journal
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: EncodeProgress) => void) | undefined
}

/**
 * While some are tokenised or written, others are in the model, in each of up to eight workers. All together are
 * what the largest wave of a GPU takes, and some more.
 */
export const requestsInFlight = 40
export const textsPerRequest = 64

/** Returns how many texts were cut to the model's length. */
export async function encodeTexts(
  locations: readonly TextLocation[],
  options: EncodeTextsOptions,
): Promise<number> {
  const { catalogue, dataset, encoder, journal, signal, onProgress } = options
  const columns = catalogue.dataset(dataset)?.columns ?? []
  const workOf = (location: TextLocation) =>
    Math.min(location.characters, encoder.maxTokens * 6) + 32
  // Every worker listens for every request under way: that many are no leak.
  if (signal !== undefined) setMaxListeners(0, signal)
  // Texts of a length share a batch without padding; the longest come first, so that a model too
  // large for the memory fails at once.
  const sorted = locations.toSorted((a, b) => b.characters - a.characters)
  const allWork = sorted.reduce((sum, location) => sum + workOf(location), 0)
  let [done, work, truncated] = [0, 0, 0]

  async function encodeSome(chunks: Iterable<TextLocation[]>): Promise<void> {
    for (const chunk of chunks) {
      const texts = chunk.map(({ row, column }) => catalogue.text(dataset, row, column) ?? '')
      const encoding = await encodeChunk(chunk, texts)
      journal.append(
        chunk.map(({ key }) => key),
        encoding.vectors,
      )
      truncated += encoding.truncated
      done += chunk.length
      work += chunk.reduce((sum, location) => sum + workOf(location), 0)
      onProgress?.({ phase: 'encode', done, total: sorted.length, share: work / allWork })
    }
  }

  /** Rejects with a TextVectorsError where the vectors of some texts are of no use. */
  async function encodeChunk(chunk: readonly TextLocation[], texts: string[]): Promise<Encoding> {
    try {
      const encoding = await encoder.encode(texts, { priority: 'bulk', as: 'passage', signal })
      const zeros = findZeros(encoding, encoder.dimension)
      if (zeros.length > 0) throw new TextVectorsError(encoder.model, namesOf(chunk, zeros))
      return encoding
    } catch (error) {
      if (!(error instanceof EncoderError) || error.texts.length === 0) throw error
      throw new TextVectorsError(encoder.model, namesOf(chunk, error.texts), { cause: error })
    }
  }

  const namesOf = (
    chunk: readonly TextLocation[],
    positions: readonly number[],
  ): readonly UnfitText[] =>
    positions.flatMap((position) => {
      const place = chunk[position]
      if (place === undefined) return []
      const { id, title } = catalogue.entry(dataset, place.row)
      return [{ dataset, id, title, column: columns[place.column] ?? '' }]
    })

  // All take from one iterator; when one fails, its loop ends the iterator for the others too.
  const chunks = chunksOf(sorted)
  const runs = Array.from({ length: requestsInFlight }, () => encodeSome(chunks))
  const failed = (await Promise.allSettled(runs)).find((run) => run.status === 'rejected')
  if (failed !== undefined) throw failed.reason as Error
  return truncated
}

function* chunksOf(locations: readonly TextLocation[]): Generator<TextLocation[]> {
  for (let start = 0; start < locations.length; start += textsPerRequest) {
    yield locations.slice(start, start + textsPerRequest)
  }
}

/** Positions of the texts that have tokens and a vector of zeros alone; a text without tokens has one too. */
function findZeros({ vectors, tokens }: Encoding, dimension: number): number[] {
  return [...tokens.keys()].filter((text) => {
    const vector = vectors.subarray(text * dimension, (text + 1) * dimension)
    return (tokens[text] ?? 0) > 0 && isZeroVector(vector)
  })
}

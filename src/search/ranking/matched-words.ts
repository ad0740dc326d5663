/**
 * The words of a text that a query means: equal stems, and words with near vectors, by the encoder whose
 * tokens maxsim compares.
 */
import { stemOf } from '../../base/text/stem.js'
import type { Span } from '../reader/interpretation.js'
import { withoutStopWords } from '../../base/text/searched-words.js'
import type { Models } from '../../models/residency/resident-encoders.js'
import { yieldToEventLoop } from '../../native/scheduling/yield-to-event-loop.js'

/** For each text its matching words, in order, as [begin, end) in UTF-16 units. */
export type MatchedWords = (
  query: string,
  texts: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly (readonly Span[])[]>

/** Cosine from which on two words count as one, such as "boxer" and "boxing". */
const nearWord = 0.62
/** Words of a text beyond these are not compared. */
const maxWords = 1000
/** Distinct words of a query, and of all texts, beyond these match equal words alone. */
const maxQueryWords = 100
const maxVocabulary = 10_000
/** Other requests wait for a comparison about so long. */
const turnMs = 2

export function createMatchedWords(models: Pick<Models, 'use'>, model: string): MatchedWords {
  return async (query, texts, signal) => {
    const queryWords = new Set(tellingWords(query).map(({ word }) => word))
    if (queryWords.size === 0) return texts.map(() => [])
    const takeTurns = createTurns(signal)
    const textWords: (readonly TellingWord[])[] = []
    for (const text of texts) {
      textWords.push(tellingWords(text).slice(0, maxWords))
      await takeTurns()
    }
    const sought = [...queryWords].slice(0, maxQueryWords)
    const others = new Set(textWords.flat().map(({ word }) => word))
    for (const word of queryWords) others.delete(word)
    const compared = [...others].slice(0, maxVocabulary)
    const { vectors } = await models.use(model, (encoder) =>
      encoder.encode([...sought, ...compared], { signal }),
    )
    const dimension = vectors.length / (sought.length + compared.length)
    const queryVectors = vectors.subarray(0, sought.length * dimension)
    const matching = new Set(queryWords)
    for (const [position, word] of compared.entries()) {
      const begin = (sought.length + position) * dimension
      const vector = vectors.subarray(begin, begin + dimension)
      if (isNearAny(vector, queryVectors)) matching.add(word)
      await takeTurns()
    }
    return textWords.map((words) =>
      words.flatMap(({ word, begin, end }) => (matching.has(word) ? [{ begin, end }] : [])),
    )
  }
}

/** Lets other requests go on after each turn, and throws once the client has left. */
function createTurns(signal: AbortSignal | undefined): () => Promise<void> | undefined {
  let beganMs = performance.now()
  return () => {
    if (performance.now() - beganMs < turnMs) return undefined
    return yieldToEventLoop(signal).then(() => {
      signal?.throwIfAborted()
      beganMs = performance.now()
    })
  }
}

interface TellingWord extends Span {
  /** Its stem. */
  readonly word: string
}

/** The words of a text that say something, with their places. */
function tellingWords(text: string): readonly TellingWord[] {
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
  const telling = new Set(withoutStopWords(words.map(([word]) => word)))
  return words.flatMap(({ 0: word, index }) =>
    telling.has(word)
      ? [{ word: stemOf(word.toLowerCase()), begin: index, end: index + word.length }]
      : [],
  )
}

/** Whether a vector is near one of those that lie one after the other; all are of length 1. */
function isNearAny(vector: Float32Array, others: Float32Array): boolean {
  const dimension = vector.length
  for (let begin = 0; begin < others.length; begin += dimension) {
    let cosine = 0
    for (let i = 0; i < dimension; i += 1) cosine += (vector[i] ?? 0) * (others[begin + i] ?? 0)
    if (cosine >= nearWord) return true
  }
  return false
}

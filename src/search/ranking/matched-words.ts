/**
 * The words of a text that a query means: equal stems, and words with near vectors, by the encoder whose
 * tokens maxsim compares.
 */
import { LRUCache } from 'lru-cache'
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

/** Texts of well-known works and frequent words come again: some 4 MB each. */
const keptTexts = 512
const keptVectors = 4096

export function createMatchedWords(models: Pick<Models, 'use'>, model: string): MatchedWords {
  const wordsOfTexts = new LRUCache<string, readonly TellingWord[]>({ max: keptTexts })
  const known = new LRUCache<string, Float32Array>({ max: keptVectors })

  function wordsOf(text: string): readonly TellingWord[] {
    const kept = wordsOfTexts.get(text)
    if (kept !== undefined) return kept
    const words = tellingWords(text).slice(0, maxWords)
    wordsOfTexts.set(text, words)
    return words
  }

  /** In the order of the words. */
  async function vectorsOf(words: readonly string[], signal: AbortSignal | undefined) {
    const vectors = words.map((word) => known.get(word))
    const missing = words.filter((_, i) => vectors[i] === undefined)
    if (missing.length === 0) return vectors
    const { vectors: encoded } = await models.use(model, (encoder) =>
      encoder.encode(missing, { signal }),
    )
    const dimension = encoded.length / missing.length
    let next = 0
    return vectors.map((vector, i) => {
      if (vector !== undefined) return vector
      const own = encoded.slice(next, (next += dimension))
      known.set(words[i] ?? '', own)
      return own
    })
  }

  return async (query, texts, signal) => {
    const queryWords = new Set(tellingWords(query).map(({ word }) => word))
    if (queryWords.size === 0) return texts.map(() => [])
    const takeTurns = createTurns(signal)
    const textWords: (readonly TellingWord[])[] = []
    for (const text of texts) {
      textWords.push(wordsOf(text))
      const turn = takeTurns()
      if (turn !== undefined) await turn
    }
    const sought = [...queryWords].slice(0, maxQueryWords)
    const others = new Set<string>()
    for (const words of textWords) for (const { word } of words) others.add(word)
    for (const word of queryWords) others.delete(word)
    const compared = [...others].slice(0, maxVocabulary)
    const vectors = await vectorsOf([...sought, ...compared], signal)
    const queryVectors = vectors.slice(0, sought.length)
    const matching = new Set(queryWords)
    for (const [position, word] of compared.entries()) {
      const vector = vectors[sought.length + position]
      if (vector !== undefined && isNearAny(vector, queryVectors)) matching.add(word)
      const turn = takeTurns()
      if (turn !== undefined) await turn
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

/** Whether a vector is near one of the others; all are of length 1. */
function isNearAny(vector: Float32Array, others: readonly (Float32Array | undefined)[]): boolean {
  for (const other of others) {
    if (other === undefined) continue
    let cosine = 0
    for (let i = 0; i < vector.length; i += 1) cosine += (vector[i] ?? 0) * (other[i] ?? 0)
    if (cosine >= nearWord) return true
  }
  return false
}

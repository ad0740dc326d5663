/**
 * The words of a text that a query means: equal stems, and words whose vectors are near, by the encoder of which
 * maxsim compares the tokens.
 */
import { stemOf } from '../query/query-words.js'
import type { Span } from '../query/interpretation.js'
import { withoutStopWords } from '../lexical/words.js'
import type { Models } from '../residency/resident-encoders.js'

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

export function createMatchedWords(models: Pick<Models, 'use'>, model: string): MatchedWords {
  return async (query, texts, signal) => {
    const queryWords = new Set(tellingWords(query).map(({ word }) => word))
    const textWords = texts.map((text) => tellingWords(text).slice(0, maxWords))
    const vocabulary = [...new Set([...queryWords, ...textWords.flat().map(({ word }) => word)])]
    if (queryWords.size === 0) return texts.map(() => [])
    const { vectors } = await models.use(model, (encoder) => encoder.encode(vocabulary, { signal }))
    const dimension = vectors.length / vocabulary.length
    const vectorOf = (position: number) =>
      vectors.subarray(position * dimension, (position + 1) * dimension)
    const queryVectors = [...queryWords].map((_, position) => vectorOf(position))
    const matching = new Set(
      vocabulary.filter(
        (word, position) =>
          queryWords.has(word) ||
          queryVectors.some((vector) => dot(vector, vectorOf(position)) >= nearWord),
      ),
    )
    return textWords.map((words) =>
      words.flatMap(({ word, begin, end }) => (matching.has(word) ? [{ begin, end }] : [])),
    )
  }
}

/** The stems of a text's words that say something, with the places of the words. */
function tellingWords(text: string): readonly (Span & { readonly word: string })[] {
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
  const telling = new Set(withoutStopWords(words.map(([word]) => word)))
  return words.flatMap(({ 0: word, index }) =>
    telling.has(word)
      ? [{ word: stemOf(word.toLowerCase()), begin: index, end: index + word.length }]
      : [],
  )
}

/** Of vectors of length 1 their cosine. */
const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, position) => sum + value * (other[position] ?? 0), 0)

/**
 * Reads a query: words, all that they may mean, features of each, one fitted choice, readings. Every reading is soft:
 * it weighs in the ranking, it hides nothing. docs/reader.md explains the steps.
 */
import { type Candidate, type CandidateOptions, createCandidates } from './candidates.js'
import { choose } from './choose.js'
import type { Interpretation, Span } from './interpretation.js'
import { kindsOf } from './query-kind.js'
import { isCross, readingsOf } from './readings.js'
import { restOfQuery } from './rest-of-query.js'
import { unknownNamesOf } from './unknown-names.js'
import type { ReaderWeights } from './weights.js'
import { keyOf } from '../../base/text/words.js'

/** @param ignored spans of the query that are not readings: their words stay text; the whole query is not a title */
export type Interpret = (query: string, ignored?: readonly Span[]) => Interpretation

export interface InterpreterOptions extends CandidateOptions {
  readonly weights: ReaderWeights
}

export function createInterpreter({ weights, ...options }: InterpreterOptions): Interpret {
  const candidatesOf = createCandidates(options)
  const also = alsoExcluded(options.lexicon)
  return (query, ignored = []) => {
    const read = candidatesOf(query)
    const { words } = read
    const isAllowed = ({ from, to }: Candidate) => {
      const [begin, end] = [words[from]?.begin ?? 0, words[to - 1]?.end ?? 0]
      return !ignored.some((span) => span.begin < end && begin < span.end)
    }
    const kinds = kindsOf(read, weights.kinds)
    const chosen = choose(read, kinds, weights.roles, isAllowed)
    const readings = readingsOf(read, chosen, also)
    const { request, question } = kinds
    const names = unknownNamesOf(read, chosen)
    const [only] = readings
    // Someone who types a whole title means no other word of it.
    const isTitle =
      readings.length === 1 &&
      only?.kind === 'title' &&
      chosen[0]?.to === words.length &&
      chosen[0].from === 0
    const rest = isTitle
      ? { text: query, explained: 0 }
      : restOfQuery(read, chosen, Math.min(1, request + question))
    return {
      readings,
      ...rest,
      ...(names.length > 0 && { unknownNames: names }),
      ...(isCross(read, chosen) && { isCross: true }),
      request,
    }
  }
}

function alsoExcluded({
  excludedTags,
  excludedGenres,
}: CandidateOptions['lexicon']): (
  phrase: string,
) => { genres: string[]; tags: string[] } | undefined {
  const found = new Map<string, { genres: string[]; tags: string[] }>()
  const of = (phrase: string) => {
    const key = keyOf(phrase)
    const one = found.get(key) ?? { genres: [], tags: [] }
    found.set(key, one)
    return one
  }
  for (const [phrase, tags] of Object.entries(excludedTags)) of(phrase).tags.push(...tags)
  for (const [genre, phrases] of Object.entries(excludedGenres))
    for (const phrase of phrases) of(phrase).genres.push(genre)
  return (phrase) => found.get(keyOf(phrase))
}

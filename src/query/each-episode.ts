/** What says that each part of a work stands alone: `a new town every episode`, `each week a different case`. */
import type { Fact } from './interpretation.js'
import type { QueryWord } from './query-words.js'
import { articles } from './small-words.js'

interface ToldParts {
  /** How many words tell it. */
  readonly length: number
  readonly fact: Extract<Fact, { readonly kind: 'topic' }>
}

const each = new Set(['each', 'every', 'per'])
const parts = new Set('episode ep eps chapter week volume'.split(' '))
const other = new Set(['new', 'different', 'another'])
const works = new Set('anime manga episode ep chapter volume season show series'.split(' '))
/** So many words may tell what is new. */
const maxNewWords = 2

const fact = { kind: 'topic', genres: [], tags: ['episodic'] } as const

/** The words from the position on that say so. */
export function eachEpisodeAt(
  words: readonly QueryWord[],
  position: number,
): ToldParts | undefined {
  const wordAt = (at: number) => words[at]?.folded ?? ''
  const isPart = (at: number) => each.has(wordAt(at)) && parts.has(wordAt(at + 1))
  if (isPart(position)) {
    const at = position + (articles.has(wordAt(position + 2)) ? 3 : 2)
    // What is new stays a subject of its own, as does the customer of `each chapter one customer`.
    const isNew = other.has(wordAt(at)) && !works.has(words[at + 1]?.stem ?? '')
    const isOne = wordAt(at) === 'one' && at + 1 < words.length && !words[at]?.endsClause
    return isNew || isOne ? { length: at + 1 - position, fact } : undefined
  }
  if (!other.has(wordAt(position))) return undefined
  for (let at = position + 2; at <= position + 1 + maxNewWords; at += 1) {
    const before = words[at - 1]
    // A new episode every week is no new story.
    if (before?.endsClause !== false || works.has(before.stem)) return undefined
    if (isPart(at)) return { length: at + 2 - position, fact }
  }
  return undefined
}

/** The chosen spans as readings of the interpretation. */
import { constants } from '../../base/constants/constants.js'
import type { Candidates, Cue } from './candidates.js'
import type { Chosen } from './choose.js'
import type { Fact, MakersRole, Reading } from './interpretation.js'
import type { WorkMatch } from './work-span.js'
import type { Word } from '../../base/text/words.js'

/** Genres and tags that are refused, too, where the words of a phrase are: by its key. */
export type AlsoExcluded = (phrase: string) => Partial<Pick<Topic, 'genres' | 'tags'>> | undefined
type Topic = Extract<Fact, { readonly kind: 'topic' }>

/** The confidence of a match, where the work is the subject. */
const surenessOf = (match: WorkMatch, similarity: number): number => {
  if (match === 'whole' || match === 'near') return similarity
  const { part, amongWords } = constants().titles
  return match === 'part' || match === 'character' ? part : amongWords
}

export function readingsOf(
  read: Candidates,
  chosen: readonly Chosen[],
  alsoExcluded: AlsoExcluded,
): readonly Reading[] {
  const readings = chosen.map((one) => readingOf(read, one, alsoExcluded))
  return withEither(read.query, withLengthsOfFilms(readings))
}

function readingOf(read: Candidates, one: Chosen, alsoExcluded: AlsoExcluded): Reading {
  const { query, words, cues } = read
  const begin = words[one.from]?.begin ?? 0
  const end = words[one.to - 1]?.end ?? query.length
  const said = query.slice(begin, end)
  if (one.group === 'fact') {
    const { fact, label, confidence, isLacking = false } = one.sense
    const excluded = (one.role === 'refuse') !== isLacking
    const span = { begin, end, confidence, excluded }
    if (fact.kind !== 'topic') return { ...fact, ...span, label }
    const { genres = [], tags = [] } = (excluded ? alsoExcluded(said) : undefined) ?? {}
    return {
      ...fact,
      ...span,
      label,
      genres: [...new Set([...fact.genres, ...genres])],
      tags: [...new Set([...fact.tags, ...tags])],
    }
  }
  const { rows, label, match, similarity } = one.work
  const isAll = one.from === 0 && one.to === words.length
  const confidence = isAll && match === 'exact' ? 1 : surenessOf(match, similarity)
  const span = { begin, end, label, confidence, excluded: false, rows }
  switch (one.role) {
    case 'like':
      return { ...span, kind: 'like' }
    case 'disliked':
      return { ...span, kind: 'like', excluded: true }
    case 'seen':
      return { ...span, kind: 'title', excluded: true }
    case 'makers': {
      const role = makersRole(words, cues, one.from)
      return { ...span, kind: 'makers', ...(role && { role }) }
    }
    default:
      return { ...span, kind: 'title' }
  }
}

const roleWords: Readonly<Record<string, MakersRole>> = {
  studio: 'studio',
  animated: 'studio',
  author: 'author',
  writer: 'author',
  wrote: 'author',
  mangaka: 'author',
  artist: 'author',
  drew: 'author',
  creator: 'creator',
  creators: 'creator',
  guy: 'creator',
  man: 'creator',
  woman: 'creator',
  person: 'creator',
  created: 'creator',
  director: 'director',
  directed: 'director',
}

/** The role that the words before a work name: `by the author of`. */
function makersRole(
  words: readonly Word[],
  cues: readonly Cue[],
  from: number,
): MakersRole | undefined {
  const cue = cues.filter(({ name, to }) => name === 'makersOf' && to <= from).at(-1)
  if (cue === undefined) return undefined
  for (const { folded } of words.slice(cue.from, cue.to)) {
    const role = roleWords[folded]
    if (role !== undefined) return role
  }
  return undefined
}

/** Of a film, `short` is a number of minutes, and episodes say nothing. */
function withLengthsOfFilms(readings: readonly Reading[]): readonly Reading[] {
  const isOfFilms = readings.some(
    (other) => other.kind === 'type' && !other.excluded && other.values.includes('movie'),
  )
  if (!isOfFilms) return readings
  return readings.flatMap((reading): Reading | readonly Reading[] => {
    if (reading.kind !== 'length' || reading.unit !== 'episodes') return reading
    const { kind, begin, end, label, confidence, excluded, ofFilms } = reading
    const said = { kind, begin, end, label, confidence, excluded, unit: 'minutes' as const }
    return ofFilms === undefined ? [] : { ...said, ...ofFilms }
  })
}

const orMark =
  /^\s*(?:,\s*)?(?:and\s*\/\s*)?or\s+(?:(?:maybe|even|some|with|about|in|a|an|the)\s+)*$/i
const commaMark = /^\s*[,/]\s*$/

/** Alternatives: each run of topics or people whose last two are joined by `or`. */
function withEither(query: string, readings: readonly Reading[]): readonly Reading[] {
  const result = [...readings]
  for (let at = 1; at < result.length; at += 1) {
    const [one, other] = [result[at - 1], result[at]]
    if (!one || !other || !areAlternatives(one, other, query, orMark)) continue
    let first = at - 1
    for (; first > 0; first -= 1) {
      const [before, next] = [result[first - 1], result[first]]
      if (!before || !next || !areAlternatives(before, next, query, commaMark)) break
    }
    const either = result[first]?.either ?? result[first]?.begin ?? 0
    for (let each = first; each <= at; each += 1) {
      const reading = result[each]
      if (reading) result[each] = { ...reading, either }
    }
  }
  return result
}

function areAlternatives(one: Reading, other: Reading, query: string, mark: RegExp): boolean {
  if (one.excluded || other.excluded || one.kind !== other.kind) return false
  if (one.kind !== 'topic' && one.kind !== 'person') return false
  return mark.test(query.slice(one.end, other.begin))
}

/** Whether a query wants one work that is like each of several, rather than like any: `X meets Y`, `a mix of X and Y`. */
export function isCross({ cues }: Candidates, chosen: readonly Chosen[]): boolean {
  const likes = chosen.filter(({ role }) => role === 'like')
  return (
    likes.length > 1 &&
    cues.some(
      ({ name, from, to }) =>
        name === 'cross' && likes.some((work) => work.to === from || work.from === to),
    )
  )
}

/** Lengths that a query tells by numbers, in episodes, volumes, chapters, minutes or hours, and what `short` means of a film. */
import type { Fact, LengthBounds, LengthUnit, Reading } from './interpretation.js'
import { type QueryWord, stemOf } from './query-words.js'
import { numberAt, withHalf } from './read-number.js'

export interface NumericLength {
  /** How many words tell it. */
  readonly length: number
  readonly fact: Fact
}

/** What is counted, and how many of it a unit is. */
type Unit = readonly ['episodes' | 'volumes' | 'chapters' | 'minutes', number]
const units = new Map<string, Unit>([
  ...named(['episode', 'ep', 'eps'], ['episodes', 1]),
  ...named(['volume', 'vol', 'vols'], ['volumes', 1]),
  ...named(['chapter', 'chap', 'ch'], ['chapters', 1]),
  ...named(['minute', 'min', 'mins'], ['minutes', 1]),
  ...named(['hour', 'hr', 'hrs'], ['minutes', 60]),
])

function named(words: readonly string[], value: Unit): readonly (readonly [string, Unit])[] {
  return words.map((word) => [word, value])
}

const atMost = ['under', 'below', 'max', 'maximum', 'within', 'not']
const atLeast = ['over', 'above', 'minimum', 'min']
type Comparison = readonly [words: readonly string[], bound: 'max' | 'min']
const comparisons: readonly Comparison[] = [
  [['less', 'than'], 'max'],
  [['fewer', 'than'], 'max'],
  [['shorter', 'than'], 'max'],
  [['at', 'most'], 'max'],
  [['up', 'to'], 'max'],
  [['no', 'more', 'than'], 'max'],
  [['not', 'more', 'than'], 'max'],
  [['not', 'like'], 'max'],
  [['no', 'longer', 'than'], 'max'],
  [['not', 'longer', 'than'], 'max'],
  [['dont', 'have', 'time', 'for'], 'max'],
  [['no', 'time', 'for'], 'max'],
  [['more', 'than'], 'min'],
  [['longer', 'than'], 'min'],
  [['at', 'least'], 'min'],
  ...atMost.map((word): Comparison => [[word], 'max']),
  ...atLeast.map((word): Comparison => [[word], 'min']),
]

/** Behind a number or what is counted: `12 or fewer episodes`, `90 minutes max`. */
const comparedAfter: readonly Comparison[] = [
  ...['less', 'fewer', 'shorter', 'under', 'below'].map((word): Comparison => [
    ['or', word],
    'max',
  ]),
  ...['more', 'longer', 'over', 'above'].map((word): Comparison => [['or', word], 'min']),
  [['at', 'most'], 'max'],
  [['at', 'least'], 'min'],
  [['max'], 'max'],
  [['maximum'], 'max'],
  [['tops'], 'max'],
  [['minimum'], 'min'],
]

/** Before a number they say that it is near. */
const nearly = new Set(['around', 'about', 'roughly', 'approximately'])

/** A series of 12 episodes has 11 or 13 for somebody who remembers. */
const countTolerance = 1
/** Of what is told to be near, and of minutes, as a share. */
const nearTolerance = 0.1
const minutesTolerance = 0.2
const leastMinutesTolerance = 2

/** Words between what is counted and how long each is: `episodes that are 5 minutes`. */
const beforeLength = new Set('of are is that with around about'.split(' '))
const maxBeforeLength = 2

/**
 * The length that the words from the position on tell, undefined where they tell none.
 * @param isWish whether the query lists what is wanted: in a story, minutes, hours and chapters pass
 */
export function lengthAt(
  words: readonly QueryWord[],
  position: number,
  isWish: boolean,
): NumericLength | undefined {
  const counted = countedAt(words, position, isWish)
  if (counted !== undefined || !isOfEpisodes(words, [position])) return counted
  for (let gap = 0; gap <= maxBeforeLength; gap += 1) {
    const begin = position + 1 + gap
    const each = countedAt(words, begin, isWish)
    const isEach = each?.fact.kind === 'length' && each.fact.isOfSeries
    if (each && isEach) return { ...each, length: begin - position + each.length }
    if (!beforeLength.has(words[begin]?.folded ?? '')) return undefined
  }
  return undefined
}

/** Whether one of the words is `episodes` or `each`. */
const isOfEpisodes = (words: readonly QueryWord[], positions: readonly number[]): boolean =>
  positions.some((at) => {
    const stem = words[at]?.stem ?? ''
    return stem === 'each' || units.get(stem)?.[0] === 'episodes'
  })

function countedAt(
  words: readonly QueryWord[],
  position: number,
  isWish: boolean,
): NumericLength | undefined {
  const folded = (at: number) => words[at]?.folded ?? ''
  const startsWith = (parts: readonly string[], from: number) =>
    parts.every((part, i) => folded(from + i) === part)
  const comparison = comparisons.find(([parts]) => startsWith(parts, position))
  const isNear = nearly.has(folded(position))
  const isBetween = folded(position) === 'between'
  const begin = position + (comparison?.[0].length ?? (isNear || isBetween ? 1 : 0))
  const range = rangeFrom(begin)
  const quantity = range ?? quantityAt(begin)
  if (quantity === undefined || quantity.count <= 0) return undefined
  const { count, unit, isOpen } = quantity
  const after = comparedAt(quantity.end)
  const end = quantity.end + (after?.[0].length ?? 0)
  const bound = comparison?.[1] ?? quantity.bound ?? after?.[1] ?? (isOpen ? 'min' : undefined)
  const isTime = unit === 'minutes'
  // A volume in words is one of many: `at most one volume` tells a length.
  const isSingle = /^\D+$/.test(folded(begin)) && count <= 1 && bound === undefined
  if (isSingle && !isTime) return undefined
  if (!isWish && (isTime || unit === 'chapters')) return undefined
  const next = words[end]?.stem ?? ''
  // The last word of `90 minutes long` and of `5 minute episodes` tells nothing more.
  const isPartOf = next === 'long' || (isTime && units.get(next)?.[0] === 'episodes')
  const bounds =
    bound === undefined ? (range ?? boundsNear(count, unit, isNear)) : { [bound]: count }
  const around = [position - 3, position - 2, position - 1, end, end + 1]
  const isOfSeries = isTime && isOfEpisodes(words, around)
  // Who has under two hours wants to see the whole of it; a series as a whole is over two hours.
  const isEach = isTime && (bound !== 'max' || isOfSeries)
  const told = {
    unit: isEach ? ('episodeMinutes' as const) : unit,
    ...(isOfSeries && { isOfSeries }),
    ...boundsOf(bounds),
  }
  return { length: end - position + (isPartOf ? 1 : 0), fact: { kind: 'length', ...told } }

  /** `one to five volumes`, `between 10 and 20 episodes`, `10-20 episodes`. */
  function rangeFrom(from: number) {
    const low = numberAt(words, from)
    if (low === undefined) return undefined
    const isJoined = ['to', 'or', isBetween ? 'and' : 'to'].includes(folded(low.end))
    const high = quantityAt(low.end + (isJoined ? 1 : 0))
    if (high === undefined) return undefined
    const min = low.count * high.each
    return min < high.count ? { ...high, min, max: high.count } : undefined
  }

  function quantityAt(from: number) {
    const number = numberAt(words, from)
    if (number === undefined) return undefined
    const { count, isOpen, glued } = number
    const [said, bound] = comparedAt(number.end) ?? [[]]
    const end = number.end + said.length
    const unit = units.get(glued === '' ? (words[end]?.stem ?? '') : stemOf(glued))
    if (unit === undefined) return undefined
    const [name, each] = unit
    const counted = { count: count * each, each, isOpen, bound, unit: name }
    return withHalf(words, { ...counted, end: glued ? number.end : end + 1 }, each)
  }

  function comparedAt(from: number): Comparison | undefined {
    return comparedAfter.find(([parts]) => startsWith(parts, from))
  }
}

function boundsNear(count: number, unit: LengthUnit, isNear: boolean): LengthBounds {
  const share = unit === 'minutes' ? minutesTolerance : isNear ? nearTolerance : 0
  const least = unit === 'minutes' ? leastMinutesTolerance : countTolerance
  const tolerance = Math.max(count * share, least)
  return { min: Math.max(1, count - tolerance), max: count + tolerance }
}

/** Who asks for films means minutes: what `short` tells of films, and nothing by episodes, which films have not. */
export function withLengthsOfFilms(readings: readonly Reading[]): readonly Reading[] {
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

interface MaybeBounds {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** Without members that are undefined. */
export const boundsOf = ({ min, max }: MaybeBounds): LengthBounds => ({
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
})

/** Years, of which either end may be open. */
export const rangeOf = (
  from: number | undefined,
  to: number | undefined,
): Extract<Fact, { readonly kind: 'years' }> => ({
  kind: 'years',
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})

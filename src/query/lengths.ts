/** Lengths that a query tells by numbers, in episodes, volumes, minutes or hours, and what `short` means of a film. */
import type { Fact, LengthBounds, LengthUnit, Reading } from './interpretation.js'
import type { QueryWord } from './query-words.js'

export interface NumericLength {
  /** How many words tell it. */
  readonly length: number
  readonly fact: Fact
}

/** What is counted, and how many of it a unit is. */
type Unit = readonly ['episodes' | 'volumes' | 'minutes', number]
const units = new Map<string, Unit>([
  ...named(['episode', 'ep', 'eps'], ['episodes', 1]),
  ...named(['volume', 'vol', 'vols'], ['volumes', 1]),
  ...named(['minute', 'min', 'mins'], ['minutes', 1]),
  ...named(['hour', 'hr', 'hrs'], ['minutes', 60]),
])

function named(words: readonly string[], value: Unit): readonly (readonly [string, Unit])[] {
  return words.map((word) => [word, value])
}

const atMost = ['under', 'below', 'max', 'maximum', 'within']
const atLeast = ['over', 'above', 'minimum', 'min']
const comparisons: readonly (readonly [readonly string[], 'max' | 'min'])[] = [
  [['less', 'than'], 'max'],
  [['fewer', 'than'], 'max'],
  [['shorter', 'than'], 'max'],
  [['at', 'most'], 'max'],
  [['up', 'to'], 'max'],
  [['no', 'more', 'than'], 'max'],
  [['not', 'more', 'than'], 'max'],
  [['no', 'longer', 'than'], 'max'],
  [['not', 'longer', 'than'], 'max'],
  [['more', 'than'], 'min'],
  [['longer', 'than'], 'min'],
  [['at', 'least'], 'min'],
  ...atMost.map((word): readonly [readonly string[], 'max'] => [[word], 'max']),
  ...atLeast.map((word): readonly [readonly string[], 'min'] => [[word], 'min']),
]

/** Numbers in words, of hours and minutes alone: `two hours`, `half an hour`. */
const numberWords: readonly (readonly [readonly string[], number])[] = [
  [['half', 'an'], 0.5],
  [['half'], 0.5],
  [['an'], 1],
  [['one'], 1],
  [['two'], 2],
  [['three'], 3],
  [['four'], 4],
  [['five'], 5],
  [['ten'], 10],
  [['fifteen'], 15],
  [['twenty'], 20],
  [['thirty'], 30],
  [['ninety'], 90],
]

/** A series of 12 episodes has 11 or 13 for somebody who remembers. */
const countTolerance = 1
/** Of minutes, as a share. */
const minutesTolerance = 0.2

/**
 * The length that the words from the position on tell, undefined where they tell none.
 * @param mayBeTime whether minutes and hours count, too
 */
export function lengthAt(
  words: readonly QueryWord[],
  position: number,
  mayBeTime: boolean,
): NumericLength | undefined {
  const folded = (offset: number) => words[position + offset]?.folded ?? ''
  const startsWith = (parts: readonly string[], from: number) =>
    parts.every((part, i) => folded(from + i) === part)
  const comparison = comparisons.find(([parts]) => startsWith(parts, 0))
  const begin = comparison?.[0].length ?? 0
  const quantity = quantityAt(begin)
  if (quantity === undefined || quantity.count <= 0) return undefined
  const { count, unit, isOpen } = quantity
  if (unit === 'minutes' && !mayBeTime) return undefined
  const bound = comparison?.[1] ?? (isOpen ? 'min' : undefined)
  const next = words[position + quantity.end]?.stem ?? ''
  // The last word of `90 minutes long` and of `5 minute episodes` tells nothing more.
  const isPartOf = next === 'long' || (unit === 'minutes' && units.get(next)?.[0] === 'episodes')
  const fact = { kind: 'length' as const, ...lengthOf(count, unit, bound, quantity.end) }
  return { length: quantity.end + (isPartOf ? 1 : 0), fact }

  function quantityAt(from: number) {
    const [, digits, open, glued = ''] = /^(\d{1,4})(\+?)([a-z]*)$/.exec(folded(from)) ?? []
    if (digits !== undefined) {
      const unit = units.get(glued) ?? (glued === '' ? unitAt(from + 1) : undefined)
      const end = from + (glued === '' ? 2 : 1)
      return unit && { count: Number(digits) * unit[1], unit: unit[0], end, isOpen: open === '+' }
    }
    const number = numberWords.find(([parts]) => startsWith(parts, from))
    const end = from + (number?.[0].length ?? 0)
    const unit = unitAt(end)
    if (number === undefined || unit?.[0] !== 'minutes') return undefined
    return { count: number[1] * unit[1], unit: unit[0], end: end + 1, isOpen: false }
  }

  function unitAt(offset: number) {
    return units.get(words[position + offset]?.stem ?? '')
  }

  function lengthOf(
    count: number,
    unit: 'episodes' | 'volumes' | 'minutes',
    bound: 'min' | 'max' | undefined,
    end: number,
  ): { readonly unit: LengthUnit } & LengthBounds {
    const bounds = bound === undefined ? around(count, unit) : { [bound]: count }
    // Who has under two hours wants to see the whole of it; a series as a whole is over two hours.
    const isEach = unit === 'minutes' && (bound !== 'max' || isOfEpisodes(end))
    return { unit: isEach ? 'episodeMinutes' : unit, ...bounds }
  }

  /** `10 minute episodes`, `episodes of 10 minutes`, `10 minutes each`. */
  function isOfEpisodes(end: number): boolean {
    const near = [-2, -1, end, end + 1].map((offset) => words[position + offset]?.stem ?? '')
    return near.some((stem) => stem === 'each' || units.get(stem)?.[0] === 'episodes')
  }
}

function around(count: number, unit: 'episodes' | 'volumes' | 'minutes'): LengthBounds {
  const tolerance = unit === 'minutes' ? count * minutesTolerance : countTolerance
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

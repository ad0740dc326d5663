/**
 * Facts with numbers, by patterns of the lexicon: `(under|at most) <number> <unit>`. A pattern is a list of words,
 * of `(one|another phrase)`, of slots, and of any of these with `?` where it may be absent. The longest way in
 * which a pattern fits is taken.
 *
 * slot        fits                              slot        fits
 * <number>    12, 100+, two and a half          <year>      1917 to 2049
 * <unit>      episodes, vol, hours              <decade>    90s, 2010s, eighties
 * <counted>   12 eps, 12eps, 90 min             <part>      early, mid, late
 */
import type { Fact, LengthBounds, LengthUnit } from './interpretation.js'
import { isNumberWord, numberAt, withHalf } from './numbers.js'
import type { Sense } from './sense.js'
import { defined } from './senses.js'
import { stemOf } from '../../base/text/stem.js'
import { type Word, wordsOf } from '../../base/text/words.js'

interface PatternHit {
  /** The position behind its last word. */
  readonly to: number
  readonly sense: Sense
}

export type PatternsAt = (
  text: string,
  words: readonly Word[],
  from: number,
) => readonly PatternHit[]

type Item = { readonly isOptional: boolean } & (
  | { readonly slot: string }
  | { readonly phrases: readonly (readonly string[])[] }
)

interface Filled {
  readonly numbers: readonly number[]
  readonly counted: Counted | undefined
  readonly years: readonly number[]
  readonly decade: number | undefined
  readonly part: string | undefined
  readonly isOpen: boolean
}

interface Counted {
  readonly count: number
  readonly each: number
  readonly unit: 'episodes' | 'volumes' | 'chapters' | 'minutes'
  readonly end: number
  readonly isOpen: boolean
}

export function createPatterns(
  patterns: readonly { readonly pattern: string; readonly means: string }[],
): PatternsAt {
  const compiled = patterns.map(({ pattern, means }) => ({ items: itemsOf(pattern), means }))
  const byWord = new Map<string, typeof compiled>()
  const bySlot: typeof compiled = []
  for (const one of compiled) {
    const last = one.items.findIndex(({ isOptional }) => !isOptional)
    const first = one.items.slice(0, last + 1)
    const words = first.flatMap((item) =>
      'phrases' in item ? item.phrases.map(([word = '']) => word) : [],
    )
    for (const word of new Set(words)) byWord.set(word, [...(byWord.get(word) ?? []), one])
    if (first.some((item) => 'slot' in item)) bySlot.push(one)
  }
  return (text, words, from) => {
    const word = words[from]?.folded ?? ''
    const tried = mayFillSlot(word)
      ? [...(byWord.get(word) ?? []), ...bySlot]
      : (byWord.get(word) ?? [])
    if (tried.length === 0) return []
    const best = new Map<string, PatternHit>()
    for (const { items, means } of tried) {
      for (const [to, filled] of fit(text, words, from, items)) {
        const fact = factOf(means, filled, words, from, to)
        if (fact === undefined) continue
        const key = fact.kind
        if ((best.get(key)?.to ?? 0) >= to) continue
        const label = text.slice(words[from]?.begin, words[to - 1]?.end)
        best.set(key, { to, sense: { list: 'pattern', fact, label, confidence: 1 } })
      }
    }
    return [...best.values()]
  }
}

function itemsOf(pattern: string): readonly Item[] {
  const items = pattern.match(/\([^()]*\)\??|<[a-z]+>\??|[^\s()<>]+/g) ?? []
  return items.map((item): Item => {
    const isOptional = item.endsWith('?')
    const bare = isOptional ? item.slice(0, -1) : item
    if (bare.startsWith('<')) return { slot: bare.slice(1, -1), isOptional }
    const phrases = bare.replace(/^\(|\)$/g, '').split('|')
    return {
      phrases: phrases.map((words) => wordsOf(words).map(({ folded }) => folded)),
      isOptional,
    }
  })
}

const empty: Filled = {
  numbers: [],
  counted: undefined,
  years: [],
  decade: undefined,
  part: undefined,
  isOpen: false,
}

/** All ways in which the items fit, with the position behind each. */
function fit(
  text: string,
  words: readonly Word[],
  from: number,
  items: readonly Item[],
): readonly (readonly [number, Filled])[] {
  let ways: (readonly [number, Filled])[] = [[from, empty]]
  for (const item of items) {
    const next: (readonly [number, Filled])[] = item.isOptional ? [...ways] : []
    for (const [at, filled] of ways) {
      if (at > from && words[at - 1]?.endsSentence) continue
      if ('phrases' in item) {
        for (const phrase of item.phrases)
          if (phrase.every((word, i) => words[at + i]?.folded === word))
            next.push([at + phrase.length, filled])
        continue
      }
      const slot = fillSlot(item.slot, text, words, at, filled)
      if (slot !== undefined) next.push(slot)
    }
    if (next.length === 0) return []
    ways = next
  }
  return ways.filter(([to]) => to > from)
}

function fillSlot(
  slot: string,
  text: string,
  words: readonly Word[],
  at: number,
  filled: Filled,
): readonly [number, Filled] | undefined {
  const word = words[at]?.folded ?? ''
  switch (slot) {
    case 'number': {
      const number = numberAt(text, words, at)
      if (number?.glued !== '') return undefined
      const { count, end, isOpen } = number
      return [end, { ...filled, numbers: [...filled.numbers, count], isOpen }]
    }
    case 'counted': {
      const counted = countedAt(text, words, at)
      return counted && [counted.end, { ...filled, counted, isOpen: counted.isOpen }]
    }
    case 'year': {
      if (!/^(?:19[1-9]\d|20[0-4]\d)$/.test(word)) return undefined
      return [at + 1, { ...filled, years: [...filled.years, Number(word)] }]
    }
    case 'decade': {
      const decade = decadeOf(word)
      return decade === undefined ? undefined : [at + 1, { ...filled, decade }]
    }
    case 'part':
      return partsOfDecade.has(word) ? [at + 1, { ...filled, part: word }] : undefined
    case 'unit': {
      const known = units.get(words[at]?.stem ?? '')
      if (known === undefined) return undefined
      const [unit, each] = known
      const count = (filled.numbers[0] ?? 1) * each
      const counted = { count, each, unit, end: at + 1, isOpen: filled.isOpen }
      return [at + 1, { ...filled, counted }]
    }
    default:
      return undefined
  }
}

const unitWords: Readonly<Record<string, readonly [Counted['unit'], number]>> = {
  'episode ep eps': ['episodes', 1],
  'cour cours season': ['episodes', 13],
  'volume vol vols': ['volumes', 1],
  'chapter chap ch chs': ['chapters', 1],
  'minute min mins': ['minutes', 1],
  'hour hr hrs': ['minutes', 60],
}
const units = new Map(
  Object.entries(unitWords).flatMap(([words, unit]) =>
    words.split(' ').map((word) => [word, unit] as const),
  ),
)

/** `12 episodes`, `12eps`, `two hours`, `an hour and a half`. */
function countedAt(text: string, words: readonly Word[], at: number): Counted | undefined {
  const number = numberAt(text, words, at)
  if (number === undefined) return undefined
  const { count, glued, end, isOpen } = number
  const unit = units.get(glued === '' ? (words[end]?.stem ?? '') : stemOf(glued))
  if (unit === undefined || count <= 0) return undefined
  const [name, each] = unit
  const read = { count: count * each, each, unit: name, isOpen, end: glued === '' ? end + 1 : end }
  return withHalf(words, read, each)
}

/** Most words are no number, decade or part of one. */
const mayFillSlot = (word: string): boolean =>
  /^\d/.test(word) || isNumberWord(word) || partsOfDecade.has(word) || namedDecades.has(word)

const partsOfDecade: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['early', [0, 4]],
  ['mid', [3, 6]],
  ['late', [5, 9]],
])

/** `90s` is 1990, `2010s` is 2010. */
function decadeOf(word: string): number | undefined {
  const [, century, tens] = /^(19|20)?([0-9]0)s$/.exec(word) ?? []
  if (tens === undefined) return namedDecades.get(word)
  if (century !== undefined) return Number(century + tens)
  return Number(tens) >= 30 ? 1900 + Number(tens) : 2000 + Number(tens)
}

const namedDecades = new Map([
  ['sixties', 1960],
  ['seventies', 1970],
  ['eighties', 1980],
  ['nineties', 1990],
  ['noughties', 2000],
])

/** What a pattern means, by its name in the lexicon. */
function factOf(
  means: string,
  { numbers, counted, years, decade, part, isOpen }: Filled,
  words: readonly Word[],
  from: number,
  to: number,
): Fact | undefined {
  const [kind, value = ''] = means.split(' ')
  const [first = 0, second = first] = years
  switch (kind) {
    case 'length':
      return counted && lengthOf(value, numbers, counted, isOpen, words, from, to)
    case 'years':
      return yearsOf()
    case 'audience':
      return isChildAge(numbers[0]) ? { kind: 'audience', value } : undefined
    case 'tag':
      return { kind: 'topic', genres: [], tags: [value], isSubject: true }
    default:
      return undefined
  }

  function yearsOf(): Fact | undefined {
    const now = new Date().getUTCFullYear()
    const [begin, end] = part === undefined ? [0, 9] : (partsOfDecade.get(part) ?? [0, 9])
    const start = decade === undefined ? first : decade + begin
    const last = decade === undefined ? second : decade + end
    switch (value) {
      case 'in':
        return { kind: 'years', from: Math.min(start, last), to: Math.max(start, last) }
      case 'before':
        return { kind: 'years', to: start - 1 }
      case 'until':
        return { kind: 'years', to: last }
      case 'after':
        return { kind: 'years', from: last + 1 }
      case 'since':
        return { kind: 'years', from: start }
      case 'last':
        return { kind: 'years', from: now - (numbers[0] ?? 0) }
      case 'decade':
        return { kind: 'years', from: now - (now % 10) }
      case 'now':
        return { kind: 'years', from: now }
      default:
        return undefined
    }
  }
}

/** Children of these ages are given what is made for children; `is one` and `is an` are no age. */
const isChildAge = (age = 0): boolean => age >= 3 && age <= 11
/** A series of 12 episodes has 11 or 13 for somebody who remembers. */
const countTolerance = 1
const nearTolerance = 0.1
const minutesTolerance = 0.2
const leastMinutesTolerance = 2

function lengthOf(
  bound: string,
  numbers: readonly number[],
  { count, each, unit }: Counted,
  isOpen: boolean,
  words: readonly Word[],
  from: number,
  to: number,
): Fact | undefined {
  const isTime = unit === 'minutes'
  const hasDigit = words.slice(from, to).some(({ folded }) => /^\d/.test(folded))
  // A volume in words is one of many.
  if (!hasDigit && count <= 1 && !isTime && bound !== 'max') return undefined
  const low = numbers[0]
  const bounds: LengthBounds =
    low !== undefined && low * each < count
      ? { min: low * each, max: count }
      : bound === 'max'
        ? { max: count }
        : bound === 'min' || isOpen
          ? { min: count }
          : boundsNear(count, unit, bound === 'near')
  const around = [from - 3, from - 2, from - 1, to, to + 1].map((at) => words[at]?.stem ?? '')
  const isOfSeries =
    isTime && around.some((stem) => stem === 'each' || units.get(stem)?.[0] === 'episodes')
  // Under two hours is the whole of it; a series as a whole is over two hours.
  const isEach = isTime && (bound !== 'max' || isOfSeries)
  return {
    kind: 'length',
    unit: isEach ? 'episodeMinutes' : unit,
    ...(isOfSeries && { isOfSeries }),
    ...defined(bounds),
  }
}

function boundsNear(count: number, unit: LengthUnit, isNear: boolean): LengthBounds {
  const share = unit === 'minutes' ? minutesTolerance : isNear ? nearTolerance : 0
  const least = unit === 'minutes' ? leastMinutesTolerance : countTolerance
  const tolerance = Math.max(count * share, least)
  return { min: Math.max(1, count - tolerance), max: count + tolerance }
}

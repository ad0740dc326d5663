/** Years, eras and lengths that a query tells by numbers: `90s`, `early 2000s`, `under 13 episodes`. */
import type { Fact } from './interpretation.js'
import { lengthAt, rangeOf } from './lengths.js'
import type { QueryWord } from './query-words.js'

export interface NumericFact {
  /** How many words tell it. */
  readonly length: number
  readonly fact: Fact
}

/**
 * The fact that the words from the position on tell, undefined where they tell none.
 * @param isWish whether the query lists what is wanted: in a told story, minutes and hours pass
 */
export function numericFactAt(
  words: readonly QueryWord[],
  position: number,
  isWish: boolean,
): NumericFact | undefined {
  return ageAt(words, position) ?? lengthAt(words, position, isWish) ?? yearsAt(words, position)
}

/** Who asks for a child of so many years asks for what is made for children. */
const maxChildAge = 11

const kin = new Set('daughter son niece nephew grandson granddaughter kid toddler'.split(' '))

/** `8 year old`, `8 yo`, `8yo`, `shes 8`, with whose age it is: `8 year old daughter`. */
function ageAt(words: readonly QueryWord[], position: number): NumericFact | undefined {
  const age = agedAt(words, position)
  if (age === undefined || !kin.has(words[position + age.length]?.stem ?? '')) return age
  return { ...age, length: age.length + 1 }
}

function agedAt(words: readonly QueryWord[], position: number): NumericFact | undefined {
  const [first = '', second = '', third] = words
    .slice(position, position + 3)
    .map(({ folded }) => folded)
  const isBefore = agedWords.has(first)
  const [, age, glued] = /^(\d{1,2})(yo)?$/.exec(isBefore ? second : first) ?? []
  if (age === undefined || Number(age) > maxChildAge) return undefined
  const fact = { kind: 'audience' as const, value: 'kids' }
  if (glued !== undefined) return { length: isBefore ? 2 : 1, fact }
  if (isBefore || second === 'yo') return { length: 2, fact }
  return /^years?$/.test(second) && third === 'old' ? { length: 3, fact } : undefined
}
const agedWords = new Set(['shes', 'hes', 'aged'])

/** `spring 2023` is of that year. */
const seasons = new Set(['spring', 'summer', 'fall', 'autumn', 'winter'])
const beforeWords = ['before', 'until', 'till', 'pre']
const afterWords = ['after', 'since', 'post']
const partsOfDecade = new Map<string, readonly [number, number]>([
  ['early', [0, 4]],
  ['mid', [3, 6]],
  ['late', [5, 9]],
])

/** A man in his 30s has no decade. */
const owners = new Set(['his', 'her', 'their'])

function yearsAt(words: readonly QueryWord[], position: number): NumericFact | undefined {
  const wordAt = (offset: number) => words[position + offset]?.folded ?? ''
  const before = partsOfDecade.has(wordAt(-1)) ? -2 : -1
  if (owners.has(wordAt(before))) return undefined
  const [first, second] = [wordAt(0), wordAt(1)]
  const part = partsOfDecade.get(first)
  const decade = decadeOf(part === undefined ? first : second)
  if (decade !== undefined) {
    const [from, to] = part ?? [0, 9]
    return { length: part === undefined ? 1 : 2, fact: rangeOf(decade + from, decade + to) }
  }
  const side = beforeWords.includes(first) ? 'to' : afterWords.includes(first) ? 'from' : undefined
  if (side !== undefined) {
    const at = second === 'the' ? 2 : 1
    const [begin, end] = [yearOf(wordAt(at)), decadeOf(wordAt(at))]
    const start = begin ?? end
    if (start === undefined) return undefined
    const length = at + 1
    if (side === 'to') return { length, fact: rangeOf(undefined, start - 1) }
    // What is after the 90s began in 2000.
    const after = start + (begin === undefined ? 10 : 1)
    return { length, fact: rangeOf(first === 'since' ? start : after, undefined) }
  }
  const year = seasons.has(first) ? yearOf(second) : undefined
  if (year !== undefined) return { length: 2, fact: rangeOf(year, year) }
  const isBetween = first === 'between' || first === 'from'
  const from = yearOf(isBetween ? second : first)
  if (from === undefined) return undefined
  const offset = isBetween ? 2 : 1
  const to = ['and', 'to', 'till', 'until'].includes(wordAt(offset))
    ? yearOf(wordAt(offset + 1))
    : undefined
  if (to !== undefined) {
    return { length: offset + 2, fact: rangeOf(Math.min(from, to), Math.max(from, to)) }
  }
  const next = yearOf(wordAt(offset))
  if (next !== undefined && next > from) return { length: offset + 1, fact: rangeOf(from, next) }
  return { length: offset, fact: rangeOf(from, from) }
}

/** Anime begin in 1917; a number beyond the next decades is no year. */
function yearOf(word: string): number | undefined {
  if (!/^(?:19[1-9]\d|20[0-4]\d)$/.test(word)) return undefined
  return Number(word)
}

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

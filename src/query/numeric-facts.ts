/** Years, eras and lengths that a query tells by numbers: `90s`, `early 2000s`, `under 13 episodes`. */
import { ageAt } from './ages.js'
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
  return (
    ageAt(words, position) ??
    lengthAt(words, position, isWish) ??
    (isNoRelease(words, position, isWish) ? undefined : yearsAt(words, position))
  )
}

/** `spring 2023` is of that year. */
const seasons = new Set(['spring', 'summer', 'fall', 'autumn', 'winter'])
const beforeWords = ['before', 'until', 'till', 'pre']
const afterWords = ['after', 'since', 'post']
const partsOfDecade = new Map<string, readonly [number, number]>([
  ['early', [0, 4]],
  ['mid', [3, 6]],
  ['late', [5, 9]],
])

/** A man in his 30s has no decade, nor has a woman in my 30s. */
const owners = new Set(['his', 'her', 'their'])
const askers = new Set(['my', 'our', 'your'])
/** Before `in late 20s`. */
const people = new Set(
  'character protagonist lead mc adult people man men woman women guy girl couple'.split(' '),
)
/** Who watched something in the 90s tells no story of the 90s. */
const sayWhen = new Set(
  'i ive we my our watched saw seen read aired released made produced published'.split(' '),
)

/** Whether what may be years says how old somebody is, how long something takes, or when a story happens: `a boy in 1980 finds a robot`. */
function isNoRelease(words: readonly QueryWord[], position: number, isWish: boolean): boolean {
  const wordAt = (at: number) => words[at]?.folded ?? ''
  if (/^years?$/.test(wordAt(position + 1))) return true
  let before = position - (partsOfDecade.has(wordAt(position - 1)) ? 2 : 1)
  if (owners.has(wordAt(before))) return true
  const isAskers = askers.has(wordAt(before))
  if (isAskers || wordAt(before) === 'the') before -= 1
  if (wordAt(before) !== 'in') return false
  const isAge = isAskers || (people.has(words[before - 1]?.stem ?? '') && isDecade(position))
  return isAge || (!isWish && !words.slice(0, before).some(({ folded }) => sayWhen.has(folded)))

  /** Not of a century, as `20s`. */
  function isDecade(at: number): boolean {
    return /^[2-6]0s$/.test(wordAt(partsOfDecade.has(wordAt(at)) ? at + 1 : at))
  }
}

function yearsAt(words: readonly QueryWord[], position: number): NumericFact | undefined {
  const wordAt = (offset: number) => words[position + offset]?.folded ?? ''
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

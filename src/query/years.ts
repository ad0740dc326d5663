/** Years and decades that a query tells by numbers: `90s`, `early 2000s`, `2018 or later`. */
import type { Fact } from './interpretation.js'
import { rangeOf } from './lengths.js'
import { type QueryWord, stemOf } from './query-words.js'
import { numberAt } from './read-number.js'
import { ours, theirs } from './small-words.js'

interface ToldYears {
  /** How many words tell them. */
  readonly length: number
  readonly fact: Extract<Fact, { readonly kind: 'years' }>
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

/** A woman in my 30s has no decade. */
const askers = new Set([...ours, 'your'])
/** Before `in late 20s`. */
const people = new Set(
  'character protagonist lead mc adult people man men woman women guy girl couple'.split(' '),
)
/** Who watched something in the 90s tells no story of the 90s. */
const sayWhen = new Set(
  'i ive we my our watched saw seen read aired released made produced published'.split(' '),
)

/** The years that the words from the position on tell, undefined where they tell none or when a story is set. */
export function yearsAt(
  words: readonly QueryWord[],
  position: number,
  isWish: boolean,
): ToldYears | undefined {
  const recent = isWish ? recentAt(words, position) : undefined
  if (recent !== undefined) return recent
  const told = openedAt(words, position) ?? yearsFrom(words, position)
  if (told === undefined || isSetting(words, position, told)) return undefined
  if (isNoRelease(words, position, isWish)) return undefined
  const { from, to } = told.fact
  if (!isWish || from === undefined || to === undefined) return told
  const side = sideAt(words, position, position + told.length)
  if (side === undefined) return told
  const fact = side.isLater ? rangeOf(from, undefined) : rangeOf(undefined, to)
  return { length: told.length + side.length, fact }
}

/** `2018+` */
function openedAt(words: readonly QueryWord[], position: number): ToldYears | undefined {
  const [, year = ''] = /^(\d+)\+$/.exec(words[position]?.folded ?? '') ?? []
  const from = yearOf(year)
  return from === undefined ? undefined : { length: 1, fact: rangeOf(from, undefined) }
}

/** `past five years`, `last 10 years`, `this decade`, `this year`, by today's date. */
function recentAt(words: readonly QueryWord[], position: number): ToldYears | undefined {
  const [first = '', second = ''] = words.slice(position, position + 2).map(({ folded }) => folded)
  const now = new Date().getUTCFullYear()
  if (first === 'this') {
    const years = second === 'decade' ? 10 : second === 'year' ? 1 : undefined
    return years && { length: 2, fact: rangeOf(now - (now % years), undefined) }
  }
  if (first !== 'past' && first !== 'last') return undefined
  const number = numberAt(words, position + 1)
  if (number === undefined || words[number.end]?.stem !== 'year') return undefined
  return { length: number.end + 1 - position, fact: rangeOf(now - number.count, undefined) }
}

const onward = new Set(['onward', 'onwards'])
const laterWords = new Set(['later', 'newer', 'after', 'above', 'up', 'beyond', ...onward])
const earlierWords = new Set(['earlier', 'older', 'before', 'prior'])

/** What makes years the first or the last of those that are meant: `2018 or later`, `2010 and before`, `from 2018 on`. */
function sideAt(words: readonly QueryWord[], begin: number, end: number) {
  const [first = '', second = ''] = words.slice(end, end + 2).map(({ folded }) => folded)
  const isLast = end + 1 === words.length || words[end]?.endsClause === true
  const isOn = first === 'on' && words[begin]?.folded === 'from' && isLast
  if (isOn || onward.has(first)) return { isLater: true, length: 1 }
  if (first !== 'or' && first !== 'and') return undefined
  if (laterWords.has(second)) return { isLater: true, length: 2 }
  return earlierWords.has(second) ? { isLater: false, length: 2 } : undefined
}

/** Hardly any work is older: who names an earlier decade tells when a story is set. */
const firstCommonYear = 1960
/** Words behind and before the years of works: `1950s manga`, `from the 1950s`. */
const works = new Set('anime manga movie film cartoon show series'.split(' ').map(stemOf))
const madeWords = new Set([...works, 'from', 'made', 'released', 'published', 'aired'])
const placed = new Set(['set', 'place', 'happens', 'happening'])

/** Whether years tell when a story is set: `set in 1985`, `1920s detective`, `a spy in 1938`. */
function isSetting(
  words: readonly QueryWord[],
  position: number,
  { length, fact: { from, to = Infinity } }: ToldYears,
): boolean {
  const the = words[position - 1]?.folded === 'the' ? 1 : 0
  const [before, last] = [words[position - the - 2], words[position - the - 1]]
  const isIn = last?.folded === 'in'
  if (isIn && placed.has(before?.folded ?? '')) return true
  const isDecade = /^\d{4}s$/.test(words[position + length - 1]?.folded ?? '')
  if (from === undefined || to >= firstCommonYear || !(isDecade || isIn)) return false
  const isJoined = isIn || last?.folded === 'of'
  const isMade = madeWords.has((isJoined ? before : last)?.stem ?? '')
  return !isMade && !works.has(words[position + length]?.stem ?? '')
}

/** Whether what may be years says how old somebody is, how long something takes, or when a story happens: `a boy in 1980 finds a robot`. */
function isNoRelease(words: readonly QueryWord[], position: number, isWish: boolean): boolean {
  const wordAt = (at: number) => words[at]?.folded ?? ''
  if (/^years?$/.test(wordAt(position + 1))) return true
  let before = position - (partsOfDecade.has(wordAt(position - 1)) ? 2 : 1)
  // A man in his 30s has no decade.
  if (theirs.has(wordAt(before))) return true
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

function yearsFrom(words: readonly QueryWord[], position: number): ToldYears | undefined {
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

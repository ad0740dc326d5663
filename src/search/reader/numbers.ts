/** Numbers in digits and in words: `12`, `100+`, `1,000`, `1.5`, `fifty two`, `two and a half`. */
import type { Word } from '../../base/text/words.js'

export interface ReadNumber {
  readonly count: number
  /** The position behind its last word. */
  readonly end: number
  /** Whether it is the least: `100+`. */
  readonly isOpen: boolean
  /** The letters that are written with it, as `eps` of `12eps`. */
  readonly glued: string
}

const small = numbered(
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  (at) => at + 1,
)
const tens = numbered(
  'twenty thirty forty fifty sixty seventy eighty ninety',
  (at) => (at + 2) * 10,
)
const scales = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
])

function numbered(words: string, valueOf: (at: number) => number): ReadonlyMap<string, number> {
  return new Map(words.split(' ').map((word, at) => [word, valueOf(at)]))
}

/** Whether a word may begin a number that is written in words. */
export const isNumberWord = (word: string): boolean =>
  small.has(word) ||
  tens.has(word) ||
  scales.has(word) ||
  word === 'a' ||
  word === 'an' ||
  word === 'half'

type Counted = Pick<ReadNumber, 'count' | 'end'>

/** The number that begins at the position, undefined where none does. */
export function numberAt(
  text: string,
  words: readonly Word[],
  from: number,
): ReadNumber | undefined {
  const wordAt = (at: number) => words[at]?.folded ?? ''
  const number = inDigits() ?? inWords()
  return number && { ...number, ...withHalf(words, number) }

  function inDigits(): ReadNumber | undefined {
    const [, digits, glued = ''] = /^(\d{1,4})([a-z]*)$/.exec(wordAt(from)) ?? []
    if (digits === undefined) return undefined
    const rest = text.charAt(words[from]?.end ?? -1)
    const next = wordAt(from + 1)
    const isTouching = words[from + 1]?.begin === (words[from]?.end ?? 0) + 1 && /^\d+$/.test(next)
    if (rest === ',' && isTouching && next.length === 3)
      return { count: Number(digits + next), end: from + 2, isOpen: false, glued }
    if (rest === '.' && isTouching)
      return { count: Number(`${digits}.${next}`), end: from + 2, isOpen: false, glued }
    const isOpen = next === 'plus' && text.charAt(words[from]?.end ?? -1) === '+'
    return { count: Number(digits), end: from + (isOpen ? 2 : 1), isOpen, glued }
  }

  function inWords(): ReadNumber | undefined {
    const counted = halfAt() ?? scaledAt() ?? belowHundred(from)
    return counted && { ...counted, isOpen: false, glued: '' }
  }

  /** `half an hour`; `an hour` is one. */
  function halfAt(): Counted | undefined {
    if (wordAt(from) === 'an') return { count: 1, end: from + 1 }
    if (wordAt(from) !== 'half') return undefined
    return { count: 0.5, end: from + (wordAt(from + 1) === 'an' ? 2 : 1) }
  }

  /** `a dozen`, `two hundred`, `a hundred and twenty`. */
  function scaledAt(): Counted | undefined {
    const times = wordAt(from) === 'a' ? { count: 1, end: from + 1 } : belowHundred(from)
    const at = times?.end ?? from
    const scale = scales.get(wordAt(at))
    if (scale === undefined) return undefined
    const count = (times?.count ?? 1) * scale
    const rest = belowHundred(at + (wordAt(at + 1) === 'and' ? 2 : 1))
    return rest === undefined || scale < 100 || scales.has(wordAt(rest.end))
      ? { count, end: at + 1 }
      : { count: count + rest.count, end: rest.end }
  }

  function belowHundred(at: number): Counted | undefined {
    const one = small.get(wordAt(at))
    if (one !== undefined) return { count: one, end: at + 1 }
    const ten = tens.get(wordAt(at))
    if (ten === undefined) return undefined
    const ones = small.get(wordAt(at + 1)) ?? 10
    return ones < 10 ? { count: ten + ones, end: at + 2 } : { count: ten, end: at + 1 }
  }
}

/** With what follows a number or what is counted: `two and a half hours`, `an hour and a half`. */
export function withHalf<T extends Counted>(words: readonly Word[], counted: T, one = 1): T {
  const { count, end } = counted
  const isHalf = ['and', 'a', 'half'].every((word, i) => words[end + i]?.folded === word)
  return isHalf ? { ...counted, count: count + one / 2, end: end + 3 } : counted
}

/** Years, lengths and ages that a query tells by numbers: `90s`, `under 13 episodes`, `8 year old`. */
import type { Fact } from './interpretation.js'
import { lengthAt } from './lengths.js'
import type { QueryWord } from './query-words.js'
import { yearsAt } from './years.js'

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
    ageAt(words, position) ?? lengthAt(words, position, isWish) ?? yearsAt(words, position, isWish)
  )
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

/** Ages that a query tells of whoever is to watch or read: `for my 8 year old`, `shes 7`. */
import type { Fact } from './interpretation.js'
import type { QueryWord } from './query-words.js'
import { ours } from './small-words.js'

export interface ReadAge {
  /** How many words tell it. */
  readonly length: number
  readonly fact: Fact
}

/** Who asks for a child of so many years asks for what is made for children. */
const maxChildAge = 11

const kin = new Set('daughter son niece nephew grandson granddaughter kid toddler'.split(' '))

/** Before the age of a child for whom somebody asks: `for an 8 year old`, `my little brother is 8`. */
const owners = new Set([...ours, 'for'])
const betweenOwnerAndAge = new Set([
  ...kin,
  ...'a an the is who turned just only little young sister brother cousin child children'.split(
    ' ',
  ),
])

/** `8 year old`, `8 yo`, `8yo`, `shes 8`, with whose age it is: `8 year old daughter`. In a story, somebody is as old. */
export function ageAt(words: readonly QueryWord[], position: number): ReadAge | undefined {
  const age = agedAt(words, position)
  if (age === undefined) return undefined
  if (kin.has(words[position + age.length]?.stem ?? '')) return { ...age, length: age.length + 1 }
  return agedWords.has(words[position]?.folded ?? '') || isOwned(words, position) ? age : undefined
}

function isOwned(words: readonly QueryWord[], position: number): boolean {
  let at = position - 1
  while (betweenOwnerAndAge.has(words[at]?.stem ?? '')) at -= 1
  return owners.has(words[at]?.folded ?? '')
}

function agedAt(words: readonly QueryWord[], position: number): ReadAge | undefined {
  const [first = '', second = '', third = ''] = words
    .slice(position, position + 3)
    .map(({ folded }) => folded)
  const isBefore = agedWords.has(first)
  const [, age, glued] = /^(\d{1,2})(yo)?$/.exec(isBefore ? second : first) ?? []
  if (age === undefined || Number(age) > maxChildAge) return undefined
  const fact = { kind: 'audience' as const, value: 'kids' }
  if (glued !== undefined) return { length: isBefore ? 2 : 1, fact }
  if (isBefore || second === 'yo') return { length: 2, fact }
  return /^years?$/.test(second) && /^olds?$/.test(third) ? { length: 3, fact } : undefined
}
const agedWords = new Set(['shes', 'hes', 'aged'])

/** Ages that a query tells of whoever is to watch or read: `for my 8 year old`, `shes 7`. */
import type { Fact } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { numberAt } from './read-number.js'
import { ours } from './small-words.js'

export interface ReadAge {
  /** How many words tell it. */
  readonly length: number
  readonly fact: Fact
}

/** Who asks for a child of so many years asks for what is made for children. */
const maxChildAge = 11

/** Before the age of a child for whom somebody asks: `for an 8 year old`, `my little brother is 8`. */
const owners = new Set([...ours, 'for'])
const betweenOwnerAndAge = new Set('a an the is who turned just only little young'.split(' '))

type Tables = Pick<QueryTables, 'wordLists'>

/** `8 year old`, `six yr old`, `8 yo`, `8yo`, `shes 8`, with whose age it is: `8 year old daughter`. In a story, somebody is as old. */
export function ageAt(
  words: readonly QueryWord[],
  position: number,
  tables: Tables,
): ReadAge | undefined {
  const age = agedAt(words, position)
  if (age === undefined) return undefined
  const isOfSomebody =
    agedWords.has(words[position]?.folded ?? '') || isOwned(words, position, tables)
  const isChild = tables.wordLists.children.has(words[position + age.length]?.stem ?? '')
  // A story tells in words how old somebody is: `raises a four year old daughter`.
  if (isChild && (isOfSomebody || /^\d/.test(words[position]?.folded ?? '')))
    return { ...age, length: age.length + 1 }
  return isOfSomebody ? age : undefined
}

function isOwned(
  words: readonly QueryWord[],
  position: number,
  { wordLists: { children, relatives } }: Tables,
): boolean {
  const isBetween = (stem: string) =>
    [betweenOwnerAndAge, children, relatives].some((list) => list.has(stem))
  let at = position - 1
  while (isBetween(words[at]?.stem ?? '')) at -= 1
  return owners.has(words[at]?.folded ?? '')
}

function agedAt(words: readonly QueryWord[], position: number): ReadAge | undefined {
  const wordAt = (at: number) => words[at]?.folded ?? ''
  const isBefore = agedWords.has(wordAt(position))
  const age = numberAt(words, isBefore ? position + 1 : position)
  if (age === undefined || !Number.isInteger(age.count) || age.count > maxChildAge) return undefined
  const { glued, end } = age
  const length = end - position
  const fact = { kind: 'audience' as const, value: 'kids' }
  if (glued === 'yo' || (isBefore && glued === '')) return { length, fact }
  const old = isYear(glued) ? end : isYear(wordAt(end)) ? end + 1 : undefined
  if (old !== undefined && /^olds?$/.test(wordAt(old))) return { length: old + 1 - position, fact }
  return glued === '' && wordAt(end) === 'yo' ? { length: length + 1, fact } : undefined
}
const isYear = (word: string): boolean => /^(?:years?|yrs?)$/.test(word)
const agedWords = new Set(['shes', 'hes', 'aged'])

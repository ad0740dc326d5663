/** Ages of those of whom a work is to tell: `woman over 30`, `hero in his late 40s`. */
import type { Fact } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { numberAt } from './read-number.js'

interface ToldAge {
  /** How many words tell it. */
  readonly length: number
  readonly fact: Extract<Fact, { readonly kind: 'topic' }>
}

/** The tag of those of whom such a word tells. */
const owners = new Map([
  ['her', 'adult-women'],
  ['his', 'middle-aged-man'],
  ['their', 'adult-cast'],
])
const partsOfDecade = new Set(['early', 'mid', 'late'])
const older = new Set(['over', 'past', 'above'])
/** Nobody is grown up below the first, and nobody asks by a number for people above the second. */
const [minAge, maxAge] = [20, 69]

/** The age that the words from the position on tell: `woman over 30`, `in her thirties`. */
export function ageOfPersonAt(
  words: readonly QueryWord[],
  position: number,
  { wordLists }: Pick<QueryTables, 'wordLists'>,
): ToldAge | undefined {
  const tag = wordLists.adults.get(words[position]?.stem ?? '')
  const isTold = tag !== undefined && words[position]?.endsClause === false
  const decade = decadeAt(words, isTold ? position + 1 : position)
  if (decade !== undefined) {
    // Of a hero in her thirties, `her` tells more.
    return told(decade.end - position, decade.tag === 'adult-cast' ? tag : decade.tag)
  }
  const end = isTold ? ageEnd(words, position + 1) : undefined
  return end === undefined ? undefined : told(end - position, tag)
}

const told = (length: number, tag = 'adult-cast'): ToldAge => ({
  length,
  fact: { kind: 'topic', genres: [], tags: [tag], isSubject: true },
})

/** `in her late 30s` */
function decadeAt(words: readonly QueryWord[], position: number) {
  const tag = owners.get(words[position + 1]?.folded ?? '')
  if (words[position]?.folded !== 'in' || tag === undefined) return undefined
  const at = position + (partsOfDecade.has(words[position + 2]?.folded ?? '') ? 3 : 2)
  return /^(?:[2-6]0s|(?:twent|thirt|fort|fift|sixt)ies)$/.test(words[at]?.folded ?? '')
    ? { tag, end: at + 1 }
    : undefined
}

/** `over 30`, and no more: a man over 30 feet is a giant. */
function ageEnd(words: readonly QueryWord[], position: number): number | undefined {
  if (!older.has(words[position]?.folded ?? '')) return undefined
  const { count, end, glued } = numberAt(words, position + 1) ?? { count: 0, end: 0, glued: '' }
  const next = words[end - 1]?.endsClause ? undefined : words[end]?.folded
  const isAge = next === undefined || followers.has(next)
  return isAge && glued === '' && count >= minAge && count <= maxAge ? end : undefined
}
const followers = new Set('who that with in as and or but is anime manga'.split(' '))

/** The works of characters whose names a query has: `the one with goku`, `levi ackerman and eren`. */
import type { Reading, Span, TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { fillerOf } from './rest-of-query.js'

type TitleReading = Reading & { readonly kind: 'title' }

export interface CharacterReadings {
  /** The query as a whole, where it has nothing else. */
  readonly whole: TitleReading | undefined
  readonly parts: readonly TitleReading[]
}

/** How sure a name names the work of whom it is, alone and beside other words. A tiger of a story is no character. */
const sureAlone = { full: 0.97, word: 0.93, plain: 0.91 }
const sureBeside = { full: 0.9, word: 0.72, plain: 0 }

export function readCharacters(
  words: readonly QueryWord[],
  { facts, filler, known }: Pick<QueryTables, 'facts' | 'filler' | 'known'>,
  { characters }: Pick<TitleLookup, 'characters'>,
): CharacterReadings {
  const parts: TitleReading[] = []
  if (characters === undefined) return { whole: undefined, parts }
  const isFiller = fillerOf(words, filler)
  const folded = words.map((word) => word.folded)
  let others = 0
  let sure = 0
  for (let position = 0; position < words.length;) {
    const found = characters(folded.slice(position))
    const { length = 1, name: label = '', rows = [] } = found ?? {}
    const isOne =
      length === 1 &&
      (isFiller[position] === true ||
        known.has(words[position]?.stem ?? '') ||
        isStudio(words, position, facts))
    if (found === undefined || isOne) others += isFiller[position] ? 0 : 1
    else {
      sure = Math.max(sure, sureAlone[found.kind])
      const span = {
        begin: words[position]?.begin ?? 0,
        end: words[position + length - 1]?.end ?? 0,
      }
      parts.push(readingOf(span, label, rows, sureBeside[found.kind]))
    }
    position += found === undefined || isOne ? 1 : length
  }
  const [first] = parts
  if (first === undefined || others > 0) {
    return { whole: undefined, parts: parts.filter(({ confidence }) => confidence > 0) }
  }
  const span = { begin: first.begin, end: parts.at(-1)?.end ?? first.end }
  const rows = [...new Set(parts.flatMap((part) => part.rows))]
  const whole = readingOf(span, first.label, rows, sure)
  return { whole, parts }
}

/** `madhouse anime` is by the studio, whoever else has the name. */
const isStudio = (
  words: readonly QueryWord[],
  position: number,
  facts: QueryTables['facts'],
): boolean => {
  const { values = [] } = facts.longestAt(words, position) ?? {}
  return values.some(({ fact, confidence }) => fact.kind === 'studio' && confidence > 0)
}

const readingOf = (
  { begin, end }: Span,
  label: string,
  rows: readonly number[],
  confidence: number,
): TitleReading => ({ kind: 'title', begin, end, label, confidence, excluded: false, rows })

/** A title of the same words is surer: `naruto` and `sasuke` are works. */
export const surer = <T extends Reading>(title: T | undefined, other: T | undefined) =>
  (other?.confidence ?? 0) > (title?.confidence ?? 0) ? other : title

/** What is wrong with works, and no tag tells: `not boring fantasy` wishes for fantasy, and excludes none. */
import { isFillerToEnd, turnOrJoin } from './clause-end.js'
import type { Negatable, Negation } from './negation.js'
import type { QueryTables } from './query-tables.js'

interface Faulty extends Pick<Negatable, 'words' | 'isWish' | 'factAt'> {
  readonly tables: Negatable['tables'] & Pick<QueryTables, 'faults' | 'negationGap'>
}

interface Fault {
  readonly end: number
  /** Whether nothing else is excluded. */
  readonly isAll: boolean
}

/** Who says other words wants nothing of what follows: `tired of generic isekai`. */
const negators = new Set('no not nothing non without isnt arent never zero'.split(' '))
/** Of these, what also stands before a noun that is not wished: `but no generic isekai`. */
const nounNegators = new Set('no without zero'.split(' '))

/** What is wrong behind a negation, if anything. */
export function faultAfter(
  asked: Faulty,
  begin: number,
  { length, kind }: Negation,
): Fault | undefined {
  const { words, tables, isWish, factAt } = asked
  const from = begin + length
  const says = (some: ReadonlySet<string>) =>
    words.slice(begin, from).some(({ folded }) => some.has(folded))
  if ((kind !== 'not' && kind !== 'lack') || !says(negators)) return undefined
  const end = endOfFaults(asked, from)
  if (end === from) return undefined
  if (turnOrJoin(asked, end) !== undefined || isFillerToEnd(asked, end)) return { end, isAll: true }
  const fact = isWish ? factAt(end) : undefined
  if (fact === undefined) return undefined
  const next = end + fact.length
  const isClause = !words.slice(end, -1).some(({ endsClause }) => endsClause)
  // `no generic isekai` asks for another isekai where it says no more.
  const isAlone = begin === 0 && isClause && isFillerToEnd(asked, endOfFacts(next))
  if (isAlone || !says(nounNegators)) return { end, isAll: true }
  const hasPeople = words
    .slice(end, next)
    .some((_, at) => tables.bearers.longestAt(words, end + at) !== undefined)
  return hasPeople ? { end: next, isAll: true } : { end, isAll: false }

  /** `no generic school romance` asks for another, too. */
  function endOfFacts(position: number): number {
    const { length } = words[position - 1]?.endsClause ? {} : (factAt(position) ?? {})
    return length === undefined ? position : endOfFacts(position + length)
  }
}

/** `not boring`, `not your typical`, `nothing bland or cliche`; where nothing is wrong, where it begins. */
function endOfFaults({ words, tables, factAt }: Faulty, from: number): number {
  const faultLength = (position: number) => tables.faults.longestAt(words, position)?.length ?? 0
  let at = from
  while (faultLength(at) === 0 && factAt(at) === undefined) {
    if (tables.negationGap.longestAt(words, at) === undefined || words[at]?.endsClause) return from
    at += 1
  }
  let end = from
  while (faultLength(at) > 0) {
    end = at + faultLength(at)
    if (words[end - 1]?.endsClause) return end
    const join = tables.joins.longestAt(words, end)?.length ?? 0
    at = end + join
  }
  return end
}

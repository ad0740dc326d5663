/** What a query wishes and excludes, read from its first word to its last. */
import { type AskedQuery, isFree, isIgnored, type PartlyRead, spanOf } from './asked-query.js'
import { isFillerToEnd, turnOrJoin } from './clause-end.js'
import { afterPhrase, type Exclusions, readExclusion } from './exclusions.js'
import { createFactAt } from './fact-at.js'
import type { Reading, Span } from './interpretation.js'
import { justSeenAt } from './just-seen.js'
import { leadBefore } from './magazines.js'
import { type FactHit, negationAt } from './negation.js'
import { refusedAt } from './refused-facts.js'
import { useOf } from './rest-of-query.js'
import { withTitled } from './subject.js'

/** @param isTitle whether the query is a title: the `no` of a Japanese one excludes nothing */
export function readFacts(asked: AskedQuery, before: PartlyRead, isTitle: boolean): PartlyRead {
  const { words, isWish, titles, tables } = asked
  const readings = [...before.readings]
  const uses = [...before.uses]
  const isUnread = (position: number) => isFree(asked, uses, position)
  const factAt = createFactAt(asked, isUnread)
  const exclusions: Exclusions = {
    ...asked,
    factAt,
    leaveOut,
    isNamed: (position) => uses[position] === 'reference',
    excludeFact: (begin, from, hit) => keep(begin, from, hit, true),
    exclude(begin, end, reading) {
      const span = spanOf(asked, begin, end)
      if (isIgnored(asked, span)) return end
      if (!readings.some((other) => isExcludedTitle(other, span)))
        readings.push({ ...reading, ...span, excluded: true })
      return leaveOut(begin, end)
    },
  }
  for (let position = 0; position < words.length;) {
    position = isUnread(position) ? readAt(position) : position + 1
  }
  return { readings, uses }

  /** Reads what begins at a word. Returns the word that follows, as all of these do. */
  function readAt(position: number): number {
    const seen = justSeenAt(asked, position)
    if (seen > 0) return leaveOut(position, position + seen)
    const fact = factAt(position)
    const hit = fact && isPassing(asked, position, fact) ? undefined : fact
    const negation = isTitle ? undefined : negationAt(exclusions, position)
    const last = position + (negation?.length ?? 0) - 1
    if (!negation || !isUnread(last) || (hit !== undefined && hit.length > negation.length)) {
      if (hit === undefined) return position + 1
      const refused = refusedAt(asked, position, hit)
      const { begin, hit: said } = refused ?? { begin: position, hit }
      const end = keep(begin, position, said, refused !== undefined)
      return negation ? afterPhrase(exclusions, last + 1, end) : end
    }
    return readExclusion(exclusions, position, negation)
  }

  /** The fact begins at `from`, and what says that it is excluded, if anything, at `begin`. */
  function keep(begin: number, from: number, hit: FactHit, excluded: boolean): number {
    let end = from + hit.length
    // The last word of `art like` begins `like Berserk`.
    while (end - 1 > from && uses[end - 1] === 'reference') end -= 1
    const { label, confidence } = hit
    const fact = isWish ? withTitled(hit, words.slice(from, end), titles) : hit.fact
    readings.push({ ...fact, ...spanOf(asked, begin, end), label, confidence, excluded })
    const first = begin - leadBefore(fact, words, begin, tables)
    uses.fill(excluded ? 'excluded' : useOf(hit), first, end)
    if (hit.noun !== undefined) uses.fill('fact', hit.noun, hit.noun + 1)
    return end
  }

  function leaveOut(begin: number, end: number): number {
    uses.fill('excluded', begin, end)
    return end
  }
}

/**
 * Whether a turn says nothing of whom a work is about: `but girls` does behind a work or a subject, where it ends there.
 * Of `but guys please no harem` and `except boys love` it does not.
 */
function isPassing(asked: AskedQuery, position: number, { length }: FactHit): boolean {
  const { words } = asked
  const isTurn = turnsToOthers.has(words[position]?.folded ?? '')
  const end = position + length
  const isEnd = turnOrJoin(asked, end) !== undefined || isFillerToEnd(asked, end)
  return isTurn && (position === 0 || !isEnd)
}

const turnsToOthers = new Set(['but', 'except'])

/** Whether a title that stands in a span is excluded already. */
const isExcludedTitle = (reading: Reading, { begin, end }: Span): boolean =>
  reading.kind === 'title' && reading.excluded && begin < reading.end && reading.begin < end

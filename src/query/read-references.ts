/** The works that a query names to say what it wants or refuses, as readings. */
import {
  type AskedQuery,
  isFree,
  isIgnored,
  type PartlyRead,
  spanOf,
  unread,
} from './asked-query.js'
import { createFactAt } from './fact-at.js'
import type { Reading } from './interpretation.js'
import { judgedWorks } from './judged-works.js'
import { exclusionStarts } from './negation.js'
import { numericFactAt } from './numeric-facts.js'
import { createReferenceQuery } from './reference-query.js'
import { findReferences, type Reference } from './references.js'
import { isToldText } from './told-text.js'

export function referencesOf(asked: AskedQuery): readonly Reference[] {
  const { words, isWish, tables } = asked
  const { facts, negations } = tables
  const { uses } = unread(asked)
  const factAt = createFactAt(asked, (position) => isFree(asked, uses, position))
  const factLength = (begin: number) => facts.longestAt(words, begin)?.length ?? 0
  const startsWish = (position: number) =>
    (facts.longestAt(words, position) ??
      negations.longestAt(words, position) ??
      numericFactAt(words, position, isWish, tables)) !== undefined
  const startsExclusion = exclusionStarts({ ...asked, factAt })
  const referenceTables = { ...tables, factLength, startsWish, startsExclusion }
  const found = findReferences(createReferenceQuery({ ...asked, tables: referenceTables }))
  const judged = judgedWorks(asked)
  const isOther = ({ begin, end }: Reference) =>
    !judged.some((work) => begin < work.end && work.begin < end)
  // Whose studio or crew a story tells of, made none of what is wished.
  const isTold = isToldText(asked, true)
  const isMeant = ({ kind }: Reference) => kind !== 'makers' || !isTold
  return [...found.filter(isOther).filter(isMeant), ...judged]
}

/** With the words that name them. */
export function readReferences(asked: AskedQuery, references: readonly Reference[]): PartlyRead {
  const readings: Reading[] = []
  const uses = [...unread(asked).uses]
  for (const { begin, end, title: label, similarity: confidence, ...named } of references) {
    const span = spanOf(asked, begin, end)
    if (isIgnored(asked, span)) continue
    readings.push({ ...named, ...span, label, confidence })
    uses.fill(named.excluded ? 'excluded' : 'reference', begin, end)
  }
  return { readings, uses }
}

/** The fact that begins at a word of a query. */
import { type AskedQuery, spanOf } from './asked-query.js'
import { choosePhrase, listedAt } from './choose-phrase.js'
import { magazineAt } from './magazines.js'
import type { FactHit } from './negation.js'
import { numericFactAt } from './numeric-facts.js'
import { isPartOfFiller } from './rest-of-query.js'
import { isInPassing, isNamedAt, saysOfWork } from './wish.js'

type FactAt = (position: number) => FactHit | undefined

/** @param isFree whether a word may begin a reading */
export function createFactAt(
  asked: Omit<AskedQuery, 'isFiller'>,
  isFree: (position: number) => boolean,
): FactAt {
  const { query, words, isWish, tables, titles } = asked
  const nameTables = { ...tables, ...titles }
  return (position) => {
    if (!isFree(position) || isNamedAt(words, position)) return undefined
    const passes = isInPassing(words, position, isWish)
    const numeric = numericFactAt(words, position, isWish, tables)
    const listed = listedAt(words, position, tables.facts, isWish)
    if (numeric !== undefined && numeric.length >= (listed?.length ?? 0)) {
      const { begin, end } = spanOf(asked, position, position + numeric.length)
      return { ...numeric, label: query.slice(begin, end), confidence: numericConfidence }
    }
    const magazine = magazineAt(words, position, listed?.length ?? 0, isWish, tables)
    if (magazine !== undefined) return magazine
    // `a kid` of whom something is told is no wish for children, and who has to go somewhere plays no game.
    if (listed === undefined || (passes && listed.length === 1)) return undefined
    if (isPartOfFiller(words, position, listed.length, tables.filler)) return undefined
    const chosen = choosePhrase(listed, words, position, nameTables, isWish)
    // In a told story a girl is popular, and a student new.
    const end = position + listed.length
    const isMeant = chosen && (isWish || saysOfWork(chosen.fact, words, position, end, tables))
    return isMeant ? { ...listed, ...chosen } : undefined
  }
}

const numericConfidence = 0.9

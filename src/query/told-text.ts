/** Texts that tell a story at length, such as a synopsis, whose names are those of its people. */
import type { QueryWord } from './query-words.js'
import { isAsking, type SeenTables } from './seen-works.js'

interface Told {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly tables: Pick<SeenTables, 'wishes'>
}

/** Who writes more, and asks for nothing, tells a story. */
const maxSilentWords = 40
/** In so many words somebody who asks speaks of themselves, or to others: `next` alone is what happens next. */
const maxImpersonalWords = 25
const persons = new Set(
  'i im ive id we weve me my us our you your yall anyone anybody someone pls thanks'.split(' '),
)

/** @param asks whether any word of it may ask for something */
export function isToldText({ query, words, tables }: Told, asks: boolean): boolean {
  if (words.length > maxSilentWords && !asks) return true
  return (
    words.length > maxImpersonalWords &&
    !query.includes('?') &&
    !words.some(({ folded }) => persons.has(folded)) &&
    !isAsking({ words, tables })
  )
}

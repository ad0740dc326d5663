/** A work without a name that somebody has seen, who wants something else now: `just finished a heavy anime, something light`. */
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { articles, speakers } from './small-words.js'

interface Told {
  readonly words: readonly QueryWord[]
  readonly isWish: boolean
  readonly tables: Pick<QueryTables, 'wordLists'>
}

const adverbs = new Set([...speakers, 'just', 'recently', 'finally'])
/** So many words tell what it was. */
const maxTold = 5

/** How many words from one on say what has been seen, up to the end of their clause; 0 where none do. */
export function justSeenAt(
  { words, isWish, tables: { wordLists } }: Told,
  position: number,
): number {
  const isBegin = position === 0 || words[position - 1]?.endsClause === true
  if (!isWish || !isBegin) return 0
  let at = position
  while (adverbs.has(words[at]?.folded ?? '')) at += 1
  if (at === position || !wordLists.finished.has(words[at]?.folded ?? '')) return 0
  if (words[at + 1]?.folded === 'watching' || words[at + 1]?.folded === 'reading') at += 1
  const isSomething = words[at + 1]?.folded === 'something'
  if (!isSomething && !articles.has(words[at + 1]?.folded ?? '')) return 0
  const told = words.slice(at + 2, at + 2 + maxTold)
  const isWork = ({ folded }: QueryWord) => !isSomething && wordLists.finishedWorks.has(folded)
  const noun = told.findIndex((word) => isWork(word) || word.endsClause)
  const last = told[noun]
  if (last === undefined || !(isSomething || isWork(last))) return 0
  const end = at + 2 + noun + 1
  const rest = words.slice(end)
  // Who wants more of it says what it was to say what they want.
  const isOther = rest.length > 0 && !rest.some(({ folded }) => wordLists.moreOfIt.has(folded))
  return isOther && last.endsClause ? end - position : 0
}

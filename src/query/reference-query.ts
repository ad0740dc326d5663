/** A query in which named works are looked for, with what finds their titles. */
import type { TitleLookup } from './interpretation.js'
import { createKnownWorks, type KnownWorks } from './known-works.js'
import { createNamedWorks, leadWords, type NamedWorks } from './named-works.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'

export interface ReferenceTables extends QueryTables {
  /** How many words from one on are a fact, such as `isekai`. */
  readonly factLength: (begin: number) => number
  /** Whether a fact or a negation begins at a word. */
  readonly startsWish: (position: number) => boolean
  /** Whether a negation begins at a word, with what it excludes. */
  readonly startsExclusion: (position: number) => boolean
}

export interface ReferenceQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly titles: TitleLookup
  readonly tables: ReferenceTables
  readonly isWish: boolean
  readonly named: NamedWorks
  readonly known: KnownWorks
}

export function createReferenceQuery(
  asked: Omit<ReferenceQuery, 'named' | 'known'>,
): ReferenceQuery {
  const { words, tables } = asked
  const start = leadWords.has(words[0]?.stem ?? '') ? 1 : 0
  const lead = start + (tables.likes.longestAt(words, start)?.length ?? NaN)
  const named = createNamedWorks({ ...asked, lead })
  return { ...asked, named, known: createKnownWorks({ ...asked, named }) }
}

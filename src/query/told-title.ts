/** Titles that a query has with something around them that tells so: a maker, a name, words that are forgotten, or a part. */
import { readForgotten } from './forgotten-words.js'
import type { TitleLookup } from './interpretation.js'
import { type MadeTables, readMadeTitle } from './made-title.js'
import { readNewestPart } from './newest-part.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import type { TitleReading } from './read-title.js'
import { readNamedTogether } from './named-together.js'
import { readToldPart } from './told-part.js'

/** The title that a query is beside its maker or its characters, beside words that stand for forgotten ones, or before what tells of a part. */
export const readToldTitle = (
  query: string,
  typed: readonly QueryWord[],
  tables: MadeTables &
    Pick<QueryTables, 'asksName' | 'forgotten' | 'joins' | 'likes' | 'wordLists'>,
  titles: TitleLookup,
): TitleReading | undefined =>
  readMadeTitle(query, typed, tables, titles) ??
  readNamedTogether(query, typed, tables, titles) ??
  readForgotten(query, typed, tables, titles) ??
  readNewestPart(query, typed, tables, titles) ??
  readToldPart(query, typed, tables, titles)

/** What is compared with texts where a query is a title: what tells of its part, else all of it. */
export const restOf = (query: string, { end, part }: TitleReading): string =>
  part === undefined ? query : query.slice(end).trim()

/** What is left of a title of which words are forgotten: `something something bunny girl`, `attack on something`. */
import type { TitleLookup, TitleMatch } from './interpretation.js'
import type { PhraseTable } from './phrase-table.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { bestTitle, partOfTitle, type TitleReading } from './read-title.js'
import { fillerOf } from './rest-of-query.js'
import { areFacts } from './subject.js'

type Tables = Pick<QueryTables, 'around' | 'asksName' | 'facts' | 'filler' | 'forgotten'>

/** Who says that words are forgotten means no subject: surer than what the words say otherwise. */
const remembered = 0.99
/** A shorter rest is in too many titles. */
const minRestLength = 4
/** Marks for words before others; after them they ask or trail off. */
const marks = /^\s*(?:\?{2,}|\.{3,}|…|_{2,}|\*{3,}|-{2,})\s*/u
/** Words that no title ends with: `attack on something`. */
const goesOn = /\S\s+(?:of|on|in|to|and|the|a|an|no|wa|wo|ga|x)\s*$/i

interface Rest {
  readonly begin: number
  readonly end: number
  /** Whether only what is a title as it stands is meant: `something bunny girl`. */
  readonly isSpelt: boolean
}

export function readForgotten(
  query: string,
  words: readonly QueryWord[],
  tables: Tables,
  { exact, match }: TitleLookup,
): TitleReading | undefined {
  const rest = restOf(query, words, tables)
  if (rest === undefined || exact(query).length > 0) return undefined
  const text = query.slice(words[rest.begin]?.begin, words[rest.end - 1]?.end)
  const isTelling = fillerOf(words, tables.filler).slice(rest.begin, rest.end).includes(false)
  if (text.length < minRestLength || !isTelling) return undefined
  const isPart = ({ similarity }: TitleMatch) => similarity >= partOfTitle
  const found = rest.isSpelt ? exact(text) : match(text).filter(isPart)
  const title = bestTitle(found, { begin: 0, end: query.length })
  return title && { ...title, confidence: remembered }
}

/** The words beside those that stand for forgotten ones; undefined where there are none of these. */
function restOf(query: string, words: readonly QueryWord[], tables: Tables): Rest | undefined {
  const { forgotten } = tables
  const all = { begin: 0, end: words.length, isSpelt: false }
  if (marks.test(query)) return all
  const from = afterAll(words, 0, [tables.around, tables.asksName])
  const begin = afterAll(words, from, [forgotten])
  if (begin > from) return begin < words.length ? { ...all, begin } : undefined
  const end = beforeForgotten(words, forgotten)
  // `isekai whatever` is a subject.
  if (end < words.length) return areFacts(words.slice(0, end), tables) ? undefined : { ...all, end }
  const isOne = words[from]?.folded === 'something' && words.length - from > 2
  if (isOne) return { ...all, begin: from + 1, isSpelt: true }
  const last = words.at(-1)
  const isLast = last?.folded === 'something' && goesOn.test(query.slice(0, last.begin))
  return isLast ? { ...all, end: words.length - 1 } : undefined
}

/** Where what follows phrases from a word on begins. */
function afterAll(
  words: readonly QueryWord[],
  from: number,
  tables: readonly PhraseTable<true>[],
): number {
  const lengths = tables.map((table) => table.longestAt(words, from)?.length ?? 0)
  const length = Math.max(...lengths)
  return length === 0 ? from : afterAll(words, from + length, tables)
}

/** Where words that stand for forgotten ones begin, which end the query. */
function beforeForgotten(words: readonly QueryWord[], forgotten: PhraseTable<true>): number {
  const begin = words.findIndex((_, at) => at > 0 && isForgottenFrom(words, at, forgotten))
  return begin < 0 ? words.length : begin
}

const isForgottenFrom = (
  words: readonly QueryWord[],
  from: number,
  forgotten: PhraseTable<true>,
): boolean => afterAll(words, from, [forgotten]) === words.length

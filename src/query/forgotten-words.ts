/** What is left of a title of which words are forgotten: `something something bunny girl`, `attack on something`, `angel next door something rotten`. */
import type { TitleLookup, TitleMatch } from './interpretation.js'
import { haveAny, longestOf, type PhraseTable } from './phrase-table.js'
import type { QueryTables } from './query-tables.js'
import { type QueryWord, queryWords } from './query-words.js'
import { bestTitle, partOfTitle, type TitleReading } from './read-title.js'
import { fillerOf } from './rest-of-query.js'
import { areFacts } from './subject.js'

type Tables = Pick<QueryTables, 'around' | 'asksName' | 'facts' | 'filler' | 'forgotten' | 'likes'>

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
  /** Whether only what is a title as it stands is meant, `something bunny girl`, or a well-known one: `haruhi something`. */
  readonly look: 'exact' | 'known' | 'match'
}

export function readForgotten(
  query: string,
  words: readonly QueryWord[],
  tables: Tables,
  titles: TitleLookup,
): TitleReading | undefined {
  const rest = restOf(query, words, tables)
  if (titles.exact(query).length > 0) return undefined
  if (rest === undefined) return readAround(query, words, tables, titles)
  const text = query.slice(words[rest.begin]?.begin, words[rest.end - 1]?.end)
  const isTelling = fillerOf(words, tables.filler).slice(rest.begin, rest.end).includes(false)
  if (text.length < minRestLength || !isTelling) return undefined
  const isPart = ({ similarity }: TitleMatch) => similarity >= partOfTitle
  const found = titles[rest.look]?.(text).filter(isPart) ?? []
  const span = { begin: 0, end: query.length }
  // Who wants `something like` a work wants another.
  const isOther = rest.look === 'exact' || haveAny(words, tables.likes)
  const told = isOther ? [] : (titles.misremembered?.(text) ?? [])
  const title = bestTitle(found, span) ?? bestTitle(told, span)
  return title && { ...title, confidence: remembered }
}

/** So many words around those that stand for forgotten ones are no chance. */
const minAround = 3

/** The title that has what stands before forgotten words and behind them, in that order. */
function readAround(
  query: string,
  words: readonly QueryWord[],
  { filler, forgotten, likes }: Tables,
  { match, misremembered }: Pick<TitleLookup, 'match' | 'misremembered'>,
): TitleReading | undefined {
  const lengthAt = (at: number) =>
    forgotten.longestAt(words, at)?.length ?? (words[at]?.folded === 'something' ? 1 : 0)
  const begin = words.findIndex((_, at) => at > 0 && lengthAt(at) > 0)
  if (begin < 0) return undefined
  const behind = words.slice(begin + lengthAt(begin))
  const span = { begin: 0, end: query.length }
  // `demons de something`: small words before forgotten ones are as unsure.
  const last = words.slice(0, begin).findLastIndex(({ folded }) => folded.length > 2)
  const before = words.slice(0, last + 1)
  const isTelling = fillerOf(behind, filler).includes(false)
  if (!isTelling || before.length === 0 || before.length + behind.length < minAround)
    return undefined
  const told = [...before, ...behind]
  const text = told.map((word) => query.slice(word.begin, word.end)).join(' ')
  const found = match(text).filter(
    ({ title, similarity }) => similarity >= partOfTitle && isInOrder(told, queryWords(title)),
  )
  const reworded = haveAny(words, likes) ? [] : (misremembered?.(text) ?? [])
  const title = bestTitle(found, span) ?? bestTitle(reworded, span)
  return title && { ...title, confidence: remembered }
}

/** Whether a title has all the words, one behind the other. */
function isInOrder(told: readonly QueryWord[], title: readonly QueryWord[]): boolean {
  let at = -1
  return told.every(({ folded }) => {
    at = title.findIndex((word, position) => position > at && word.folded === folded)
    return at >= 0
  })
}

/** The words beside those that stand for forgotten ones; undefined where there are none of these. */
function restOf(query: string, words: readonly QueryWord[], tables: Tables): Rest | undefined {
  const { forgotten } = tables
  const all = { begin: 0, end: words.length, look: 'match' } as const
  if (marks.test(query)) return all
  const from = afterAll(words, 0, [tables.around, tables.asksName])
  const begin = afterAll(words, from, [forgotten])
  if (begin > from) return begin < words.length ? { ...all, begin } : undefined
  const end = beforeForgotten(words, forgotten)
  // `isekai whatever` is a subject.
  if (end < words.length) return areFacts(words.slice(0, end), tables) ? undefined : { ...all, end }
  const isOne = words[from]?.folded === 'something' && words.length - from > 2
  // Nothing is asked for in `something of the shield hero`.
  if (isOne)
    return { ...all, begin: from + 1, look: words[from + 1]?.folded === 'of' ? 'match' : 'exact' }
  const last = words.at(-1)
  if (last?.folded !== 'something' || areFacts(words.slice(0, -1), tables)) return undefined
  const isCut = goesOn.test(query.slice(0, last.begin))
  return { ...all, end: words.length - 1, look: isCut ? 'match' : 'known' }
}

/** Where what follows phrases from a word on begins. */
function afterAll(
  words: readonly QueryWord[],
  from: number,
  tables: readonly PhraseTable<true>[],
): number {
  const length = longestOf(tables, words, from)
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

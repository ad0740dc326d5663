/**
 * Works and makers that a query excludes and names as examples, too: `ghibli vibes but not ghibli`, `junji ito but from
 * a different mangaka`, `it's not Mushishi but similar`.
 */
import type { Reading, TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { isOfOthers } from './refused-facts.js'

export interface ReadQuery {
  readonly words: readonly QueryWord[]
  readonly isWish: boolean
  readonly tables: Pick<QueryTables, 'negations' | 'otherMakers' | 'turns'>
  readonly titles: Pick<TitleLookup, 'madeWorks'>
}

/** The readings with what is wished like them. */
export function withLikedThoughExcluded(
  asked: ReadQuery,
  readings: readonly Reading[],
): readonly Reading[] {
  const isNamed = readings.some(({ kind, excluded }) => kind === 'like' && !excluded)
  if (!asked.isWish || isNamed) return readings
  return readings.flatMap((reading): Reading | readonly Reading[] => {
    const isLiked = reading.excluded && (isWished(reading, readings) || saysSimilar(asked, reading))
    const rows = isLiked || isLeftOut(asked, reading) ? rowsOf(reading, asked) : []
    if (rows.length === 0) return reading
    const { begin, end, label, confidence } = reading
    const span = { begin, end, label, confidence }
    const areAll = reading.kind !== 'title'
    const like = { ...span, kind: 'like', rows, areAll, excluded: false } as const
    return [{ ...reading, excluded: true }, like]
  })
}

function rowsOf(reading: Reading, { titles }: ReadQuery): readonly number[] {
  if (reading.kind === 'title') return reading.rows
  return isMaker(reading) ? (titles.madeWorks?.(reading) ?? []) : []
}

type MakerReading = Extract<Reading, { readonly kind: 'person' | 'studio' }>

const isMaker = (reading: Reading): reading is MakerReading =>
  reading.kind === 'person' || reading.kind === 'studio'

/** Whether the same maker is wished: `ghibli feel but not ghibli`. */
const isWished = (reading: Reading, readings: readonly Reading[]): boolean =>
  isMaker(reading) &&
  readings.some(
    ({ kind, label, excluded }) => !excluded && kind === reading.kind && label === reading.label,
  )

/** `ghibli films from another studio`, `movies that feel like ghibli but arent`. */
function isLeftOut({ words, tables }: ReadQuery, reading: Reading): boolean {
  if (!isMaker(reading)) return false
  const from = words.findIndex(({ begin }) => begin >= reading.end)
  if (from < 0) return false
  if (isOfOthers({ words, tables }, from - 1)) return true
  const last = words.length - 1
  const isNegation = tables.negations.longestAt(words, last)?.length === 1
  return isNegation && last > from && tables.turns.longestAt(words, last - 1) !== undefined
}

/** Words for what is like what is excluded before them. */
const likenesses = new Set('similar like close same'.split(' '))
/** `naruto is boring, give me something better` */
const others = new Set(['something', 'anything', 'one'])
const betters = new Set(['better', 'similar'])
/** Before `no`, which says then what something is not, though near to it. */
const pointers = new Set(['its', 'it'])
const maxBetween = 3

/** `not junji ito but similar`, `it's no mushishi but a calm show`. */
function saysSimilar({ words, tables }: ReadQuery, { begin, end }: Reading): boolean {
  const from = words.findIndex((word) => word.begin >= end)
  if (from < 0) return false
  const isBetter = ({ folded }: QueryWord, at: number) =>
    at > from && betters.has(folded) && others.has(words[at - 1]?.folded ?? '')
  if (words.some(isBetter)) return true
  const turn = tables.turns.longestAt(words, from)
  if (turn === undefined) return false
  const no = words.findIndex((word) => word.begin >= begin)
  const isIdiom =
    words[no]?.folded === 'no' && (no === 1 || no === 2) && pointers.has(words[0]?.folded ?? '')
  const after = words.slice(from + turn.length, from + turn.length + maxBetween)
  return isIdiom || after.some(({ folded }) => likenesses.has(folded))
}

/** Which half of somebody's works a query wishes: `early hosoda films`, `hosoda's first film`, `late works of oshii`. */
import { type AskedQuery, isFree, type PartlyRead, spanOf } from './asked-query.js'
import type { MakerEra, Reading } from './interpretation.js'
import { rangeOf } from './lengths.js'
import type { PhraseHit } from './phrase-table.js'
import { isPartOfFiller } from './rest-of-query.js'
import { ours } from './small-words.js'

/** So many words may stand between: `first film by hosoda`. */
const maxBetween = 3
/** How sure it is; there are works near the middle. */
const certainty = 0.7

/** Adds the years of the half that is said, where no other years are. */
export function withErasOfMakers(asked: AskedQuery, read: PartlyRead): PartlyRead {
  const { isWish, titles } = asked
  const maker = read.readings.find(isWishedMaker)
  const hasYears = read.readings.some(({ kind }) => kind === 'years')
  const middle = maker && titles.middleYear?.(maker)
  if (!isWish || maker === undefined || middle === undefined || hasYears) return read
  const at = asked.words.findIndex((_, position) => isEraOf(asked, read, maker, position))
  const hit = eraAt(asked, at)
  const [era] = hit?.values ?? []
  if (hit === undefined || era === undefined) return read
  const span = spanOf(asked, at, at + hit.length)
  const fact = era === 'early' ? rangeOf(undefined, middle) : rangeOf(middle + 1, undefined)
  const label = asked.query.slice(span.begin, span.end)
  return {
    readings: [
      ...read.readings,
      { ...fact, ...span, label, confidence: certainty, excluded: false },
    ],
    uses: read.uses.map((use, position) =>
      at <= position && position < at + hit.length ? 'fact' : use,
    ),
  }
}

const isWishedMaker = (reading: Reading): reading is Reading & { kind: 'person' | 'studio' } =>
  !reading.excluded && (reading.kind === 'person' || reading.kind === 'studio')

const eraAt = ({ words, tables }: AskedQuery, at: number): PhraseHit<MakerEra> | undefined =>
  tables.makerEras.longestAt(words, at)

/** Whether an era stands at a word, before the maker or right behind; `ghibli first timer` tells of somebody. */
function isEraOf(asked: AskedQuery, { uses }: PartlyRead, maker: Reading, at: number): boolean {
  const { words, tables, isFiller } = asked
  const end = at + (eraAt(asked, at)?.length ?? 0)
  const isSaid = end > at && words.slice(at, end).every((_, i) => isFree(asked, uses, at + i))
  // `my first ghibli film` is the first for who asks.
  if (!isSaid || ours.has(words[at - 1]?.folded ?? '')) return false
  if (isPartOfFiller(words, at, end - at, tables.filler)) return false
  const isPlain = (position: number) => uses[position] === 'fact' || isFiller[position] === true
  const first = words.findIndex(({ begin }) => begin >= maker.begin)
  if (words[at - 1]?.end === maker.end) return end === words.length || isPlain(end)
  const between = [...words.keys()].slice(end, Math.max(end, first))
  return first >= end && between.length <= maxBetween && between.every(isPlain)
}

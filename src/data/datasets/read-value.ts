/** Reads the values of sources as the types that the mapping gives them. */
import { remember } from '../../base/text/remember.js'
import { cleanLine, cleanText } from './clean-text.js'
import { parseDate, parseYear } from './dates.js'
import { parseList } from './text-list.js'
import { readType } from './types.js'

export const fieldKinds = [
  'text',
  'integer',
  'number',
  'boolean',
  'list',
  'type',
  'year',
  'date',
] as const
type FieldKind = (typeof fieldKinds)[number]

/** Kinds that follow from the entry's member; a mapping cannot name them. */
export type ReadKind = FieldKind | 'title' | 'synopsis' | 'score' | 'minutes' | 'unchanged'

export interface ReadOptions {
  /** What splits a list that is not in brackets; null keeps it whole. */
  readonly separator?: string | null | undefined
  /** Order of the parts of a date. */
  readonly order?: 'ymd' | 'dmy' | 'mdy' | undefined
  /** The best score of the source; 10 by default. */
  readonly outOf?: number | undefined
}

/** Returns the value as that kind: null if it is not of the kind, [] for lists. */
export function readValue(kind: ReadKind, value: unknown, options: ReadOptions): unknown {
  return readers[kind](value, options)
}

type Reader = (value: unknown, options: ReadOptions) => unknown

const readers: Readonly<Record<ReadKind, Reader>> = {
  unchanged: (value) => (typeof value === 'string' ? readText(value) : (value ?? null)),
  // A work may be called "Unknown"; only an empty title is none.
  title: (value) =>
    Array.isArray(value) ? parseList(value) : cleanLine(scalarText(value)) || null,
  // Several texts of one column are its paragraphs.
  synopsis: (value) =>
    typeof value === 'string'
      ? cleanText(value)
      : [value]
          .flat()
          .flatMap((text) => cleanText(scalarText(text)) ?? [])
          .join('\n') || null,
  text: (value) => readText(scalarText(value)),
  list: (value, { separator }) =>
    parseList(value, separator).flatMap((member) => readText(member) ?? []),
  integer: (value) => {
    const number = readNumber(value)
    return number !== null && Number.isSafeInteger(number) ? number : null
  },
  number: readNumber,
  score: (value, { outOf = 10 }) => {
    const score = ((readRating(value) ?? 0) / outOf) * 10
    // Sources write 0 for a work without a rating.
    return score > 0 && score <= 10 ? Math.round(score * 1000) / 1000 : null
  },
  minutes: (value) => {
    const minutes = readNumber(value) ?? minutesIn(scalarText(value))
    return minutes > 0 ? Math.max(1, Math.round(minutes)) : null
  },
  boolean: (value) => {
    if (typeof value === 'boolean') return value
    const text = scalarText(value).trim().toLowerCase()
    if (['true', 'yes', '1', '1.0', 'ja', 'oui', 'sí', 'si', 'sim', 'sì', 'はい'].includes(text))
      return true
    return ['false', 'no', '0', '0.0', 'nein', 'non', 'não', 'いいえ'].includes(text) ? false : null
  },
  type: (value) => typeIn(scalarText(value)),
  year: (value) => parseYear(value),
  date: (value, { order }) => parseDate(scalarText(value), order),
}

/** Files have few, and each of them often. */
const typeIn = remember(1000, (value: string): string | null => {
  const text = readText(value.replace(/\(.*/s, ''))
  return text === null ? null : readType(text)
})

/** Of `24 min. per ep.`, `1 hr. 45 min.`, `1.5 hours` and `90 sec`; 0 where there is no time. */
function minutesIn(text: string): number {
  const count = (unit: string) => {
    const number =
      new RegExp(`(?<!\\d)(\\d+(?:[.,]\\d{1,2})?)\\s*${unit}`, 'i').exec(text)?.[1] ?? '0'
    return Number(number.replace(',', '.'))
  }
  return count('h') * 60 + count('m') + count('s') / 60
}

/** Words that exports write for a missing value. */
const blankWords: ReadonlySet<string> = new Set(['', 'nan', 'none', 'null', 'n/a', 'unknown'])
const longestBlank = 'unknown'.length

function readText(value: string): string | null {
  const text = cleanLine(value)
  return text.length <= longestBlank && blankWords.has(text.toLowerCase()) ? null : text
}

/** No rating has thousands: "8,125" is a little more than 8. */
export const readRating = (value: unknown) => readDecimalComma(value) ?? readNumber(value)

/** Accepts commas between thousands, and else before decimals; "25.0" is 25. */
function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  const text = scalarText(value).trim()
  if (!/^[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(text))
    return readDecimalComma(text)
  const number = Number(text.replaceAll(',', ''))
  return Number.isFinite(number) ? number : null
}

/** "7,9" and "1.234,5", as most of Europe writes them. */
function readDecimalComma(value: unknown): number | null {
  const text = scalarText(value).trim()
  if (!/^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/.test(text)) return null
  return Number(text.replaceAll('.', '').replace(',', '.'))
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

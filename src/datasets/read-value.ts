/** Values as sources write them, read as what a mapping says they are. */
import { typeName } from '../catalogue/filter.js'
import { cleanLine, cleanText } from './clean-text.js'
import { parseDate, parseYear } from './dates.js'
import { parseList } from './text-list.js'

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
export type FieldKind = (typeof fieldKinds)[number]

/** Kinds that a mapping cannot name: they come with the member that the field is for. */
export type ReadKind = FieldKind | 'title' | 'synopsis' | 'score' | 'asItStands'

export interface ReadOptions {
  /** What splits a list that is not in brackets. */
  readonly separator?: string | undefined
  /** Order of the parts of a date. */
  readonly order?: 'ymd' | 'dmy' | 'mdy' | undefined
  /** The best score that the source gives; 10 unless said. */
  readonly outOf?: number | undefined
}

/** The value as one of that kind: null where it is none, [] for lists. */
export function readValue(kind: ReadKind, value: unknown, options: ReadOptions): unknown {
  return readers[kind](value, options)
}

type Reader = (value: unknown, options: ReadOptions) => unknown

const readers: Readonly<Record<ReadKind, Reader>> = {
  asItStands: (value) => (typeof value === 'string' ? readText(value) : (value ?? null)),
  // A work may be called "Unknown"; only nothing is no title.
  title: (value) =>
    Array.isArray(value) ? parseList(value) : cleanLine(scalarText(value)) || null,
  synopsis: (value) => cleanText(scalarText(value)),
  text: (value) => readText(scalarText(value)),
  list: (value, { separator }) =>
    parseList(value, separator).flatMap((member) => readText(member) ?? []),
  integer: (value) => {
    const number = readNumber(value)
    return number !== null && Number.isSafeInteger(number) ? number : null
  },
  number: readNumber,
  score: (value, { outOf = 10 }) => {
    const score = ((readNumber(value) ?? 0) / outOf) * 10
    // Sources write 0 where nobody has scored.
    return score > 0 && score <= 10 ? Math.round(score * 1000) / 1000 : null
  },
  boolean: (value) => {
    if (typeof value === 'boolean') return value
    const text = scalarText(value).trim().toLowerCase()
    if (['true', 'yes', '1', '1.0'].includes(text)) return true
    return ['false', 'no', '0', '0.0'].includes(text) ? false : null
  },
  type: (value) => {
    const text = readText(scalarText(value).replace(/\(.*/s, ''))
    return text === null ? null : typeName(text)
  },
  year: (value) => parseYear(value),
  date: (value, { order }) => parseDate(scalarText(value), order),
}

/** What exports write for a value that is not there. */
const blankWords: ReadonlySet<string> = new Set(['', 'nan', 'none', 'null', 'n/a', 'unknown'])

function readText(value: string): string | null {
  const text = cleanLine(value)
  return blankWords.has(text.toLowerCase()) ? null : text
}

/** Thousands may be parted by commas, "25.0" is 25. */
function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  const text = scalarText(value).trim()
  if (!/^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(text)) return null
  const number = Number(text.replaceAll(',', ''))
  return Number.isFinite(number) ? number : null
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The small language in which a mapping says where a value comes from and how it is read. */
import * as v from 'valibot'
import { cleanLine, cleanText } from './clean-text.js'
import { parseDate, parseYear } from './dates.js'
import { parseList } from './text-list.js'

/** One row of a source, by field name; undefined where the row has no such field. */
export type RawRow = (name: string) => unknown

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
type ReadKind = FieldKind | 'title' | 'synopsis' | 'asItStands'

const sourceSchema = v.strictObject({
  /** A field of the source, or several of which the first with a value counts. */
  from: v.union(
    [v.string(), v.pipe(v.array(v.string()), v.minLength(1))],
    'expected a field name or a list of them',
  ),
  /** How the value is read; left out, it is kept as it stands. */
  as: v.optional(v.picklist(fieldKinds)),
  /** A regular expression; its first group, or all that it matches, is the value. */
  match: v.optional(v.pipe(v.string(), v.check(isRegExp, 'expected a regular expression'))),
  /** What splits a list that is not in brackets. */
  separator: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** Order of the parts of a date such as 4/10/2005. */
  order: v.optional(v.picklist(['ymd', 'dmy', 'mdy'])),
  /** Replaces values, after they are read; null drops one. */
  values: v.optional(v.record(v.string(), v.nullable(v.string()))),
})

const constantSchema = v.strictObject({
  value: v.union([v.string(), v.number(), v.boolean()], 'expected a text, a number or a boolean'),
})

export type Field =
  string | v.InferOutput<typeof sourceSchema> | v.InferOutput<typeof constantSchema>

/** Chosen by the input's shape, so that a problem names the member and not "one of three". */
export const fieldSchema: v.GenericSchema<Field> = v.lazy((input) => {
  if (typeof input === 'object' && input !== null) {
    return 'value' in input ? constantSchema : sourceSchema
  }
  return v.string('expected a field name or {"from": …}')
})

/** Names of the source's fields that it reads. */
export function fieldNames(field: Field): readonly string[] {
  if (typeof field === 'string') return [field]
  if ('value' in field) return []
  return typeof field.from === 'string' ? [field.from] : field.from
}

/**
 * The function that reads the field from a row: null where it has no value, [] for lists.
 * @param kind how the value is read where the mapping does not say
 */
export function compileField(
  field: Field,
  kind: ReadKind = 'asItStands',
): (row: RawRow) => unknown {
  if (typeof field === 'object' && 'value' in field) return () => field.value
  const source: v.InferOutput<typeof sourceSchema> =
    typeof field === 'string' ? { from: field } : field
  const names = fieldNames(source)
  const read = compileRead(source, source.as ?? kind)
  return (row) => {
    let value: unknown = null
    for (const name of names) {
      value = read(row(name))
      if (value !== null && !(Array.isArray(value) && value.length === 0)) break
    }
    return value
  }
}

function compileRead(
  source: v.InferOutput<typeof sourceSchema>,
  kind: ReadKind,
): (raw: unknown) => unknown {
  const { match, values, separator, order } = source
  const pattern = match === undefined ? undefined : new RegExp(match, 'su')
  const replacements = values === undefined ? undefined : new Map(Object.entries(values))
  const replace = (value: unknown) => {
    if (replacements === undefined || typeof value !== 'string') return value
    const replacement = replacements.get(value)
    return replacement === undefined ? value : replacement
  }
  return (raw) => {
    let value = raw
    if (pattern !== undefined) {
      const found = typeof raw === 'string' ? pattern.exec(raw) : null
      value = found === null ? null : (found[1] ?? found[0])
    }
    if (kind === 'list') {
      const members = parseList(value, separator).map((member) => replace(cleanLine(member)))
      return members.filter((member) => member !== null)
    }
    return replace(readers[kind](value, order))
  }
}

type Reader = (value: unknown, order?: 'ymd' | 'dmy' | 'mdy') => unknown

const readers: Readonly<Record<Exclude<ReadKind, 'list'>, Reader>> = {
  asItStands: (value) => (typeof value === 'string' ? readText(value) : (value ?? null)),
  // A work may be called "Unknown"; only nothing is no title.
  title: (value) =>
    Array.isArray(value) ? parseList(value) : cleanLine(scalarText(value)) || null,
  synopsis: (value) => cleanText(scalarText(value)),
  text: (value) => readText(scalarText(value)),
  integer: (value) => {
    const number = readNumber(value)
    return number !== null && Number.isSafeInteger(number) ? number : null
  },
  number: readNumber,
  boolean: (value) => {
    if (typeof value === 'boolean') return value
    const text = scalarText(value).trim().toLowerCase()
    if (['true', 'yes', '1', '1.0'].includes(text)) return true
    return ['false', 'no', '0', '0.0'].includes(text) ? false : null
  },
  type: (value) => {
    const text = readText(scalarText(value).replace(/\(.*/s, ''))
    const words = text?.toLowerCase().match(/[\p{L}\p{N}]+/gu)
    return words === null || words === undefined ? null : words.join('_')
  },
  year: (value) => parseYear(value),
  date: (value, order) => parseDate(scalarText(value), order),
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

function isRegExp(text: string): boolean {
  try {
    return new RegExp(text, 'su') instanceof RegExp
  } catch {
    return false
  }
}
